internal import Mail
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Messaging

extension MediaService {
  /// Bytes of a mail that is read: twice the largest that the common mail providers accept.
  static let maxMailBytes = 50 * 1_048_576

  /// Whether an attachment is a mail: by its type, otherwise by its name, because some mails begin with a field that no signature knows.
  static func isMail(_ file: CatalogueFile) async throws(ServiceError) -> Bool {
    let info = try await ServiceError.mapping { try file.info() }
    guard let type = info?.type else { return false }
    let isNamed = file.title?.lowercased().hasSuffix(".eml") ?? false
    return type.rawValue == "message/rfc822" || type.kind == .text && isNamed
  }

  /// A mail with its structure.
  private struct ReadMail: Sendable {
    let bytes: [UInt8]
    let structure: MailStructure

    /// The positions of its files in the order of its modules.
    var files: [Int] { Array(structure.attachments().prefix(MediaService.maxParts)) }
  }

  private func mail(_ file: CatalogueFile) async throws(ServiceError) -> ReadMail {
    let bytes = try await ServiceError.mapping { try await source(of: file).contents(limit: Self.maxMailBytes) }
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    return ReadMail(bytes: bytes, structure: structure)
  }

  /// The modules of a mail: its text, then its files, those inside of others too.
  /// - Parameter address: Returns the address of a file, counted from 1.
  func modules(
    ofMail file: CatalogueFile, owner: String, address: (Int) -> String
  ) async throws(ServiceError) -> MessageModules {
    let mail = try await mail(file)
    let structure = mail.structure
    var content = [MessageModule.Content.text(structure.text(of: mail.bytes).text)]
    var reader = MailStructure.ContentReader(.init(mail.bytes))
    for (index, position) in mail.files.enumerated() {
      let declared = MessageModule.File(structure.parts[position])
      var file = try await self.file(
        reader.content(of: position, in: structure), declared: declared.info.type, id: declared.id, name: declared.name,
        owner: owner)
      file.media = address(index + 1)
      content.append(.file(file))
    }
    var answer = MessageModules(direction: "incoming", modules: MessageModule.modules(of: content))
    answer.type = .mail
    let header = structure.header
    answer.from = header.flatMap { $0.from.isEmpty ? nil : $0.from.joined(separator: ", ") }
    answer.to = header.flatMap { $0.to.isEmpty ? nil : $0.to }
    (answer.subject, answer.messageID) = (header?.subject, header?.messageID)
    return answer
  }

  /// A file of a mail, with the type that its bytes have.
  /// - Parameter number: Counted from 1, in the order of the modules.
  func mailPart(_ number: Int, of file: CatalogueFile) async throws -> (content: Rendered, name: String?) {
    let mail = try await mail(file)
    guard mail.files.indices.contains(number - 1) else { throw ServiceError.notFound }
    let position = mail.files[number - 1]
    var reader = MailStructure.ContentReader(.init(mail.bytes))
    let content = reader.content(of: position, in: mail.structure)
    let declared = MessageModule.File(mail.structure.parts[position])
    let info = try await engine.probe(
      .bytes(content), claim: .mediaType(declared.info.type.rawValue), domain: domain(of: file))
    return (Rendered(content, info.type), declared.name)
  }
}
