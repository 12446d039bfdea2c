internal import MediaModel

extension AttachmentDraft {
  /// A draft of those parts, as whoever composed it kept them; of two items with one id the first stays. No rule is asked: that is for
  /// ``add(_:under:)`` and for sending.
  public init(text: String, items: [Item]) {
    self.init(text: text)
    var seen: Set<MediaAttachment.ID> = []
    self.items = items.filter { seen.insert($0.id).inserted }
  }
}

extension AttachmentDraft.Item {
  /// An attachment whose upload is in that state: no more bytes than it has, and no crop that does not lie inside it.
  public init(_ attachment: MediaAttachment, upload: UploadState = .waiting) {
    self.init(attachment: attachment, upload: upload.clamped(to: attachment.info.bytes))
    if let crop = attachment.crop, attachment.info.displaySize.map({ crop.lies(inside: $0) }) != true {
      self.attachment.crop = nil
    }
  }
}
