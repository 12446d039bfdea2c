internal import MediaModel

extension AttachmentDraft {
  /// Restores a draft from stored text and items. Of two items with the same id only the first is kept.
  ///
  /// No rules are applied: ``add(_:under:)`` and sending do that.
  public init(text: String, items: [Item]) {
    self.init(text: text)
    var seen: Set<MediaAttachment.ID> = []
    self.items = items.filter { seen.insert($0.id).inserted }
  }
}

extension AttachmentDraft.Item {
  /// Creates an item. Uploaded bytes are clamped to the file size, and a crop outside the image is dropped.
  public init(_ attachment: MediaAttachment, upload: AttachmentDraft.UploadState = .waiting) {
    self.init(attachment: attachment, upload: upload.clamped(to: attachment.info.bytes))
    if let crop = attachment.crop, attachment.info.displaySize.map({ crop.lies(inside: $0) }) != true {
      self.attachment.crop = nil
    }
  }
}
