internal import Mail
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Messaging

extension MediaService {
  /// Bytes of a mail that is read: twice the largest that the common mail providers accept. A decoded file of one has no more.
  static let maxMailBytes = 50 * 1_048_576

  /// Whether an attachment is a mail: by its type, otherwise by its name, because some mails begin with a field that no signature knows.
  /// - Parameter name: The client's name of the file.
  static func isMail(_ file: CatalogueFile, name: String?) async throws(ServiceError) -> Bool {
    let info = try await ServiceError.mapping { try file.info() }
    return info.map { isMail($0.type, name: name) } ?? false
  }

  /// Whether a file of this type and name is a mail, or an mbox.
  static func isMail(_ type: MediaType, name: String?) -> Bool {
    let isNamed = name?.lowercased().hasSuffix(".eml") ?? false
    return ["message/rfc822", "application/mbox"].contains(type.rawValue) || type.kind == .text && isNamed
  }

  /// A mail with its structure. Reading it blocks, and is for one call at a time, which is what makes the class Sendable.
  private final class ReadMail: @unchecked Sendable {
    let bytes: [UInt8]
    let structure: MailStructure
    /// The positions of its files in the order of its modules.
    let files: [Int]
    private var reader: MailStructure.ContentReader

    init(_ file: CatalogueFile, _ threads: BlockingThreads) throws {
      let original = try MediaService.openOriginal(of: file, name: nil, type: .octetStream, threads: threads)
      let limit = MediaService.maxMailBytes
      guard original.bytes <= limit else {
        let (size, most) = HumanNumbers.sizes(original.bytes, limit: limit)
        throw MediaFailure(.tooLarge, "The file is \(size); the limit is \(most).")
      }
      let bytes = try original.readBlocking(at: 0, count: original.bytes)
      let mails = MailStructure.Source(bytes).mails().count
      guard mails == 1 else {
        throw ServiceError(.unavailable, "The file has \(mails) e-mails; upload each as a file to show its modules.")
      }
      var structure = MailStructure(message: bytes)
      structure.addEmbeddedParts(in: bytes)
      (self.bytes, self.structure) = (bytes, structure)
      files = structure.attachments()
      reader = MailStructure.ContentReader(.init(bytes))
    }

    /// The bytes of a part; nil if they are more than ``MediaService/maxMailBytes``.
    func content(of position: Int) -> [UInt8]? {
      let content = reader.content(of: position, in: structure, maxOctets: MediaService.maxMailBytes + 1)
      return content.count > MediaService.maxMailBytes ? nil : content
    }
  }

  private static let partIsTooLarge = "The file is larger than the limit of \(HumanNumbers.limit(maxMailBytes))."

  /// The modules of a mail: its text, then its files, those inside of others too. The first ``maxParts`` files have images.
  /// - Parameter address: Returns the address of a file, counted from 1.
  func modules(
    ofMail file: CatalogueFile, owner: String, address: (Int) -> String
  ) async throws(ServiceError) -> MessageModules {
    let threads = attachments.mails
    let (mail, text) = try await ServiceError.mapping {
      try await threads.run { () throws -> (ReadMail, MailText) in
        let mail = try ReadMail(file, threads)
        return (mail, mail.structure.text(of: mail.bytes))
      }
    }
    let structure = mail.structure
    var content = [MessageModule.Content(text)]
    for (index, position) in mail.files.enumerated() {
      var file = MessageModule.File(structure.parts[position])
      // Every file stays reachable; those after the first are shown as their parts declare them.
      guard index < Self.maxParts else {
        file.isDownloaded = true
        file.media = address(index + 1)
        content.append(.file(file))
        continue
      }
      let bytes = try await ServiceError.mapping { try await threads.run { mail.content(of: position) } }
      if let bytes {
        file = try await self.file(
          bytes, declared: file.info.type, id: file.id, name: file.name, owner: owner)
        file.media = address(index + 1)
      } else {
        file.isDownloaded = true
        file.failure = MediaFailure(.tooLarge, Self.partIsTooLarge)
      }
      content.append(.file(file))
    }
    var answer = MessageModules(direction: "incoming", modules: MessageModule.modules(of: content))
    answer.type = .mail
    let header = structure.header
    answer.from = header.flatMap { $0.from.isEmpty ? nil : $0.from.joined(separator: ", ") }
    answer.to = header.flatMap { $0.to.isEmpty ? nil : $0.to }
    answer.cc = header.flatMap { $0.cc.isEmpty ? nil : $0.cc }
    (answer.subject, answer.messageID, answer.date) = (header?.subject, header?.messageID, header?.time)
    return answer
  }

  /// A file of a mail, with the type that its bytes have.
  /// - Parameters:
  ///   - number: Counted from 1, in the order of the modules.
  ///   - hidesLocation: Whether it is for a reader who must not learn a location.
  func mailPart(
    _ number: Int, of file: CatalogueFile, hidesLocation: Bool
  ) async throws -> (content: Rendered, name: String?) {
    let threads = attachments.mails
    let (content, declared) = try await threads.run { () throws -> ([UInt8], MessageModule.File) in
      let mail = try ReadMail(file, threads)
      guard number > 0, number <= mail.files.count else { throw ServiceError.notFound }
      let position = mail.files[number - 1]
      guard let content = mail.content(of: position) else { throw ServiceError(.unavailable, Self.partIsTooLarge) }
      return (content, MessageModule.File(mail.structure.parts[position]))
    }
    let info = try await engine.probe(
      .bytes(content), claim: .mediaType(declared.info.type.rawValue), domain: domain(of: file))
    let stripped = try await withoutMetadata(
      content, info, name: declared.name, owner: file.owner, hidesLocation: hidesLocation)
    return (Rendered(stripped, info.type), declared.name)
  }
}
