public import Mail
public import MediaModel

extension MailStructure {
  /// The content that a thread shows of a mail: its texts, then its attachments, before anything is fetched or after (R-MAIL-1).
  ///
  /// Texts and inline pictures that are not fetched are not listed: fetch the texts first. A file that is not fetched has the kind of its declared
  /// type, otherwise of its name's extension, and a size for its label that may be estimated.
  ///
  /// - Parameters:
  ///   - message: The position of an attached message; nil for the mail itself.
  ///   - text: Returns a text of the mail by its position; nil if it is not fetched.
  ///   - file: Returns a part that is not a text, with the facts and thumbnails that are known. By default the declared facts, not downloaded.
  public func moduleContent(
    inMessage message: Int? = nil, text: (Int) -> MailText? = { _ in nil },
    file: (Int) -> MessageModule.File? = { _ in nil }
  ) -> [MessageModule.Content] {
    let texts = textParts(inMessage: message).compactMap(text).map { MessageModule.Content($0) }
    let files = attachments(inMessage: message).map { position in
      MessageModule.Content.file(file(position) ?? MessageModule.File(parts[position]))
    }
    return texts + files
  }

  /// The positions of the files that the mail offers to its reader, in order: attachments, attached messages, invitations and inline pictures.
  ///
  /// Signatures and the parts of encryption are not files for a reader. A `winmail.dat` whose parts are listed is not offered beside them.
  /// - Parameter message: The position of an attached message; nil for the mail itself.
  public func attachments(inMessage message: Int? = nil) -> [Int] {
    var containers: Set<Int> = []
    for part in parts { if let container = part.container { containers.insert(container) } }
    return parts.indices.filter { position in
      guard attachedMessage(containing: position) == message else { return false }
      switch parts[position].role {
      case .attachment, .inlinePicture, .attachedMessage, .invitation, .partial, .external, .encrypted, .signedOpaque:
        return true
      case .tnef: return !containers.contains(position)
      case .body, .signature, .deliveryReport, .readReceipt, .complaint, nil: return false
      }
    }
  }
}

extension MessageModule.Content {
  /// Creates a text of a mail, with the links of its HTML.
  public init(_ text: MailText) { self = .text(text.text, links: LinkDetector.links(of: text)) }
}

extension MailStructure.Part {
  /// The facts that its header declares: the type, and the size after decoding, which may be estimated.
  ///
  /// A type that says nothing is replaced by that of the name's extension, as mail clients do; the content decides once it is fetched.
  public var declaredInfo: MediaInfo {
    var declared = type
    let ending = name.map { $0.split(separator: ".", omittingEmptySubsequences: false) }.flatMap { $0.dropFirst().last }
    if type == .octetStream || type.rawValue == "application/x-download" || type.rawValue == "application/download",
      let ending, let usual = MediaType.types(forExtension: String(ending)).first
    {
      declared = usual
    }
    return MediaInfo(type: declared, bytes: decodedSize.octets)
  }
}

extension MessageModule.File {
  /// Creates a file from the declaration of a part that is not fetched.
  public init(_ part: MailStructure.Part) {
    self.init(id: part.section, name: part.fileName, info: part.declaredInfo)
    isDownloaded = false
  }

  /// Creates a file from the declaration of a part and the facts in its first bytes, before the rest is fetched.
  ///
  /// Type, dimensions and orientation are those of the content; the size is the declared one. That the bytes end early is no failure.
  /// - Parameter info: What a prober found in the first bytes: see `MailStructure.Part.encodedOctets(forDecoded:)`.
  public init(_ part: MailStructure.Part, probed info: MediaInfo) {
    self.init(part)
    // An unrecognised beginning says nothing.
    guard info.type != .octetStream, info.error?.code != .unrecognized else { return }
    let bytes = self.info.bytes
    self.info = info
    self.info.bytes = bytes
    self.info.error = nil
  }
}

extension MailStructure.Part {
  /// The declared name; of an attached message its subject.
  fileprivate var fileName: String? {
    if let name { return name }
    guard let subject = message?.subject, !subject.isEmpty else { return nil }
    // A subject is not a path.
    return subject.replacing("/", with: "_").replacing("\\", with: "_")
  }
}
