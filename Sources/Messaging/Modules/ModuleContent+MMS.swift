public import MediaModel

extension MMSMessage {
  /// What a thread shows of it, in the order of its slides: of each the medium, then the text (R-MMS-38, R-MMS-63).
  ///
  /// - Parameter info: What a part is by its content: who has a prober asks it; else what the part says of itself.
  public func moduleContent(info: (MMSPart) -> MediaInfo = { $0.declaredInfo }) -> [ModuleContent] {
    MessageSlides(of: self).slides.flatMap { slide in
      var pieces: [ModuleContent] = []
      if let media = slide.media {
        pieces.append(.file(ModuleFile(id: media.contentID, name: media.name, info: info(media))))
      }
      if let text = slide.text { pieces.append(.text(text.text)) }
      return pieces
    }
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
