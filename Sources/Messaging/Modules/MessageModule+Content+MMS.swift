public import MMSCodec
public import MediaModel

extension MMSMessage {
  /// The media type of a multimedia message as a file.
  public static let mediaType = MediaType("application/vnd.wap.mms-message")

  /// The content that a thread shows, in the order of the slides; in each the medium precedes the text (R-MMS-38,
  /// R-MMS-63).
  ///
  /// A notification gives the announced files, which are not downloaded (R-MMS-46).
  ///
  /// - Parameter file: Returns the facts and thumbnails of a part, for example from an engine. By default the declared
  ///   facts.
  public func moduleContent(file: (Part) -> MessageModule.File = { MessageModule.File($0) }) -> [MessageModule.Content]
  {
    if type == .notificationInd { return announcedContent.map { .file($0) } }
    return MessageSlides(of: self).slides.flatMap { slide in
      var pieces: [MessageModule.Content] = []
      if let media = slide.media { pieces.append(.file(file(media))) }
      if let text = slide.text { pieces.append(.text(text.text)) }
      return pieces
    }
  }

  /// The files that a notification announces: each listed part (X-Mms-Element-Descriptor), or one file for the whole
  /// message.
  private var announcedContent: [MessageModule.File] {
    var files: [MessageModule.File] = []
    for case .element(let reference, let parameters) in fields.map(\.value) {
      let type = parameters.first { $0.isOf(.type) }.flatMap { ContentType.typeName($0.value) }
      let name = Part.withoutBrackets(reference.text)
      files.append(
        MessageModule.File(
          id: name, name: name,
          info: MediaInfo(type: type.map { MediaType($0.text) } ?? .octetStream, bytes: 0)))
    }
    if files.isEmpty {
      files = [MessageModule.File(info: MediaInfo(type: Self.mediaType, bytes: self[.messageSize] ?? 0))]
    }
    for index in files.indices { files[index].isDownloaded = false }
    return files
  }

  /// Whether the message has neither parts nor a subject. It is marked as an error that a retry does not fix (A28).
  public var isInvalidEmpty: Bool {
    MessageSlides(of: self).slides.isEmpty && (subjectText ?? "").isEmpty
  }
}

extension MMSMessage.Part {
  /// The declared type of the part, and its size.
  public var declaredInfo: MediaInfo { MediaInfo(type: contentType.mediaType, bytes: content.count) }
}

extension MessageModule.File {
  /// Creates a file from the declaration of a part, without thumbnails.
  public init(_ part: MMSMessage.Part) { self.init(id: part.contentID, name: part.name, info: part.declaredInfo) }
}

extension ThreadSummary.Message {
  /// Creates a thread message from a downloaded multimedia message.
  public init(_ message: MMSMessage, time: Double, isIncoming: Bool, isUnread: Bool = false, sendFailed: Bool = false) {
    let slides = MessageSlides(of: message).slides
    self.init(
      time: time, type: .mms, isIncoming: isIncoming, isUnread: isUnread, subject: message.subjectText,
      texts: slides.compactMap { $0.text?.text }, hasAttachment: slides.contains { $0.media != nil },
      sendFailed: sendFailed)
  }
}
