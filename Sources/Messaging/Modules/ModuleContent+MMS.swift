public import MediaModel

extension MMSMessage {
  /// What a message of its own is called as a file.
  public static let mediaType = MediaType("application/vnd.wap.mms-message")

  /// What a thread shows of it, in the order of its slides: of each the medium, then the text (R-MMS-38, R-MMS-63). Of a notification, what
  /// it says is to come: nothing of it is here (R-MMS-46).
  ///
  /// - Parameter file: What a part is by its content, and images of it: who has an engine asks that; else what the part says of itself.
  public func moduleContent(file: (MMSPart) -> ModuleFile = { ModuleFile($0) }) -> [ModuleContent] {
    if type == .notificationInd { return announcedContent.map { .file($0) } }
    return MessageSlides(of: self).slides.flatMap { slide in
      var pieces: [ModuleContent] = []
      if let media = slide.media { pieces.append(.file(file(media))) }
      if let text = slide.text { pieces.append(.text(text.text)) }
      return pieces
    }
  }

  /// What a notification announces: each part that it names (X-Mms-Element-Descriptor), else one file for the whole message.
  private var announcedContent: [ModuleFile] {
    var files: [ModuleFile] = []
    for case .element(let reference, let parameters) in fields.map(\.value) {
      let type = parameters.first { $0.isOf(.type) }.flatMap { ContentType.typeName($0.value) }
      let name = MMSPart.withoutBrackets(reference.text)
      files.append(
        ModuleFile(
          id: name, name: name,
          info: MediaInfo(type: type.map { MediaType($0.text) } ?? .octetStream, bytes: 0)))
    }
    if files.isEmpty { files = [ModuleFile(info: MediaInfo(type: Self.mediaType, bytes: self[.messageSize] ?? 0))] }
    for index in files.indices { files[index].isDownloaded = false }
    return files
  }

  /// Whether there is nothing in it that could be shown, neither part nor subject: an error to be marked so, which trying again does not mend (A28).
  public var isInvalidEmpty: Bool {
    MessageSlides(of: self).slides.isEmpty && (subjectText ?? "").isEmpty
  }
}

extension MMSPart {
  /// What the part says of itself: its type, and how many bytes it has.
  public var declaredInfo: MediaInfo { MediaInfo(type: contentType.mediaType, bytes: content.count) }
}

extension ModuleFile {
  /// A part as it says it is, without images.
  public init(_ part: MMSPart) { self.init(id: part.contentID, name: part.name, info: part.declaredInfo) }
}

extension ThreadMessage {
  /// A multimedia message that is here.
  public init(_ message: MMSMessage, time: Double, isIncoming: Bool, isUnread: Bool = false, sendFailed: Bool = false) {
    let slides = MessageSlides(of: message).slides
    self.init(
      time: time, type: .mms, isIncoming: isIncoming, isUnread: isUnread, subject: message.subjectText,
      texts: slides.compactMap { $0.text?.text }, hasAttachment: slides.contains { $0.media != nil },
      sendFailed: sendFailed)
  }
}
