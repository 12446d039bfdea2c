internal import AttachmentPolicy
internal import FileSupport
internal import MMSCodec
internal import MediaEngine
public import MediaLibrary
internal import MediaModel
public import Messaging

extension MediaService {
  /// A message as a thread shows it, in the words of `mediatool modules`.
  public struct MessageModules: Encodable, Sendable {
    /// How a message was transported.
    public enum Kind: String, Encodable, Sendable {
      /// A multimedia message, or the draft of one.
      case mms
      /// A text message.
      case sms
      /// An e-mail.
      case mail
    }

    /// What it is. Default `mms`.
    public var type = Kind.mms
    /// The kind of PDU; nil for a draft and a mail.
    public var messageType: String?
    /// `incoming` or `outgoing`.
    public var direction: String
    /// The sender's address; of a mail the authors, with their names, separated by commas.
    public var from: String?
    /// The recipients' addresses.
    public var to: [String]?
    /// The recipients of copies.
    public var cc: [String]?
    /// The subject; nil if the message has none.
    public var subject: String?
    /// When it was sent, in seconds since 1970; nil for an e-mail whose date is malformed.
    public var date: Int?
    /// The id that the carrier gave it; of an e-mail its `Message-ID`.
    public var messageID: String?
    /// Bytes of the message that a notification announces.
    public var messageSize: Int?
    /// The modules, in the order of the message.
    public var modules: [MessageModule]
    /// Violations of the format that the decoder tolerated.
    public var defects: [String]?
  }

  /// The modules of a draft, of a message of a thread, or of a received message that was uploaded as an attachment.
  /// - Parameter id: The id of a draft, of a message, or of an attachment of the type `application/vnd.wap.mms-message` or `message/rfc822`.
  /// - Throws: `notFound` for neither of the caller's, `unavailable` for an attachment that is not a message.
  public func modules(of id: String, for caller: Caller) async throws(ServiceError) -> MessageModules {
    try caller.require(.read)
    if DraftRecord.isID(id) { return try await modules(of: openDraft(id, of: caller)) }
    if Self.storedMessage(id) != nil { return try await modules(ofStored: id, for: caller) }
    let number = try Self.fileID(id)
    let addresses = try await AttachmentAddresses(of: [number], in: self)
    guard let file = try await files([number])[number], caller.owns(file),
      [.done, .failed].contains(file.state), !addresses.isHidden(number)
    else { throw .notFound }
    if try await Self.isMail(file, name: addresses[number].name) {
      return try await modules(ofMail: file, owner: caller.owner) { addresses.url(.part($0), of: number) }
    }
    let bytes = try await ServiceError.mapping {
      try await MediaSource.path(bytes: file.stamp.path.bytes).contents(limit: Self.maxMessageBytes)
    }
    return try await modules(ofMessage: bytes, owner: caller.owner) { addresses.url(.part($0), of: number) }
  }

  /// Bytes of a message that is read: eight times the largest that a carrier accepts.
  static let maxMessageBytes = 8 * 1_048_576
  /// Parts of a message that are shown, and files of an e-mail that are decoded for it; no client sends as many.
  static let maxParts = 64

  /// The modules of a draft: the same as after sending (R-MMS-38).
  private func modules(of open: OpenDraft) async throws(ServiceError) -> MessageModules {
    let (draft, owner) = (open.draft, open.record.owner)
    let ids = draft.items.compactMap(\.attachment.fileID)
    let addresses = try await AttachmentAddresses(of: ids, in: self)
    let found = try await ServiceError.mapping {
      try await library.catalogue.call { catalogue in
        try ids.reduce(into: [FileID: (file: CatalogueFile?, renditions: [StoredRendition])]()) { found, id in
          found[id] = (try catalogue.file(id), try catalogue.renditions(of: id))
        }
      }
    }
    let content = [.text(draft.text)] + draft.items.map { MessageComposition.Item.attachment($0) }
    let modules = MessageComposition(content: content).modules { attachment in
      var file = MessageModule.File(attachment)
      guard let id = attachment.fileID, let known = found[id]?.file, known.isOwned(by: owner)
      else {
        // A module of what is gone says so (R-MMS-31).
        file.failure = MediaFailure(.notFound, "The attachment was erased.")
        return file
      }
      file.placeholder = known.placeholder
      if !addresses.isHidden(id) {
        file.media = addresses.url(.original, of: id)
        let crop = attachment.crop
        if let crop { (file.info.width, file.info.height) = (crop.width, crop.height) }
        file.images = (found[id]?.renditions ?? []).filter { $0.name == "message" || $0.name == "grid" }
          .sorted { $0.name > $1.name }
          .map { MessageModule.File.Image(addresses.url("message", of: id, crop: crop), from: $0.from) }
      }
      return file
    }
    return MessageModules(direction: "outgoing", modules: modules)
  }

  /// The modules of a received message. The images of its parts are `data:` URLs.
  /// - Parameter address: Returns the address of a part.
  private func modules(
    ofMessage bytes: [UInt8], owner: String, address: (Int) -> String
  ) async throws(ServiceError) -> MessageModules {
    var defects: [MMSMessage.Defect] = []
    let message = try Self.message(bytes, &defects)
    var files: [MessageModule.File] = []
    // Collected first, because the closure that is asked for a part cannot wait.
    for (index, part) in Self.parts(of: message).enumerated() {
      let (content, declared) = (Array(part.content), part.contentType.mediaType)
      var file = try await file(content, declared: declared, id: part.contentID, name: part.name, owner: owner)
      file.media = address(index + 1)
      files.append(file)
    }
    var next = files[...]
    let content = message.moduleContent { part in next.popFirst() ?? MessageModule.File(part) }
    var answer = MessageModules(
      direction: message.type.isFromRelay ? "incoming" : "outgoing", modules: MessageModule.modules(of: content))
    answer.messageType = message.type.name
    answer.take(message)
    answer.defects = defects.isEmpty ? nil : defects.map(\.description)
    return answer
  }

  private static func message(
    _ bytes: [UInt8], _ defects: inout [MMSMessage.Defect]
  ) throws(ServiceError) -> MMSMessage {
    do { return try MMSMessage(decoding: bytes[...], defects: &defects) } catch {
      throw ServiceError(.unavailable, "The attachment is not a valid MMS message.", detail: error.description)
    }
  }

  /// The files of a message in the order of its modules.
  private static func parts(of message: MMSMessage) -> [MMSMessage.Part] {
    var parts: [MMSMessage.Part] = []
    _ = message.moduleContent { part in
      parts.append(part)
      return MessageModule.File(part)
    }
    return Array(parts.prefix(maxParts))
  }

  /// A file of a stored message or mail (R-MMS-44).
  /// - Parameter number: Counted from 1, in the order of the modules.
  /// - Returns: Its bytes with the type that they have, and the name that the message states.
  /// - Throws: `notFound`, also without the right and for a number that no file has; `unavailable` for an attachment that is not a message.
  public func messagePart(
    _ number: Int, of id: FileID, for reader: Reader
  ) async throws(ServiceError) -> (content: Rendered, name: String?) {
    try await ServiceError.mapping {
      let found = try await readable(id, by: reader, right: .original)
      guard number > 0 else { throw ServiceError.notFound }
      let hides = try await hidesLocation(of: found, from: reader)
      if try await Self.isMail(found.file, name: found.record.name) {
        return try await mailPart(number, of: found.file, hidesLocation: hides)
      }
      let bytes = try await source(of: found.file).contents(limit: Self.maxMessageBytes)
      let parts = try await attachments.reading.run { () throws -> [MMSMessage.Part] in
        var defects: [MMSMessage.Defect] = []
        return Self.parts(of: try Self.message(bytes, &defects))
      }
      guard parts.indices.contains(number - 1) else { throw ServiceError.notFound }
      let (part, domain) = (parts[number - 1], domain(of: found.file))
      let info = try await engine.probe(
        .bytes(Array(part.content)), claim: .mediaType(part.contentType.mediaType.rawValue), domain: domain)
      let content = try await withoutMetadata(
        Array(part.content), info, name: part.name, owner: found.file.owner, hidesLocation: hides)
      return (Rendered(content, info.type), part.name)
    }
  }

  /// A part with its facts and its image, made by the owner's worker.
  func file(
    _ content: [UInt8], declared: MediaType, id: String?, name: String?, owner: String
  ) async throws(ServiceError) -> MessageModule.File {
    let request = MediaPreview.Request(renditions: RenditionRequest.named("message").map { [$0] } ?? [])
    // In turns: a message of ten files is not refused at its tenth because others have many images made.
    let preview = try await ServiceError.mapping {
      try await examinations.take(for: owner) {
        try await engine.previewBounded(
          .bytes(content), claim: .mediaType(declared.rawValue), request, domain: .owner(owner))
      }
    }
    var file = MessageModule.File(id: id, name: name, info: preview.info)
    // An unrecognized part counts as a damaged image if its message declares it an image.
    if preview.info.error?.code == .unrecognized { file.info.type = declared }
    file.failure = preview.thumbnails.error ?? preview.info.error
    file.placeholder = preview.thumbnails.placeholder
    file.peaks = preview.thumbnails.peaks
    file.images = preview.thumbnails.renditions.map {
      MessageModule.File.Image(DataURL.of($0.data, type: $0.type), from: $0.from)
    }
    return file
  }
}

extension MediaService.MessageModules {
  /// Takes the headers that a thread shows.
  mutating func take(_ message: MMSMessage) {
    func addresses(_ fields: [EncodedString]) -> [String]? {
      let values = fields.map(\.address.value).filter { !$0.isEmpty }
      return values.isEmpty ? nil : values
    }
    if case .address(let address) = message[.from] { from = address.address.value }
    (to, cc) = (addresses(message[all: .to]), addresses(message[all: .cc]))
    (subject, date) = (message.subjectText, message[.date])
    (messageID, messageSize) = (message[.messageID]?.text, message[.messageSize])
  }
}
