public import MediaModel

extension AttachmentDraft {
  /// Appends a selection in order. Attachments that the rules accept are added; the others are reported as refused.
  public mutating func add(_ selection: [MediaAttachment], under rules: AttachmentRules) -> [Event] {
    let verdict = rules.verdict(for: selection, given: self)
    var events: [Event] = []
    for (attachment, file) in zip(selection, verdict.files) {
      if file.accepted {
        events.append(.added(attachment.id, at: items.count))
        items.append(Item(attachment: attachment, upload: .waiting))
      } else {
        events.append(.refused(attachment.id, file.reasons))
      }
    }
    // An empty selection means that the picker was cancelled; nothing is reported (A3, C4).
    if !selection.isEmpty, isFull(under: rules) || verdict.files.contains(where: \.wantsPlace),
      let limit = rules.maxAttachments, rules.allowsAttachments
    {
      events.append(.limitReached(limit: limit))
    }
    return events
  }

  /// Removes an attachment. If its upload is running, the caller cancels it.
  public mutating func remove(_ id: MediaAttachment.ID, under rules: AttachmentRules) -> [Event] {
    remove(under: rules) { $0.id == id }
  }

  /// Removes all attachments of a photo library asset: several if the rules allow duplicates (R-TRAY-7).
  public mutating func remove(asset: AssetID, under rules: AttachmentRules) -> [Event] {
    remove(under: rules) { $0.attachment.asset == asset }
  }

  /// Replaces an attachment. If the rules refuse the new one, the old one stays (R-MMS-35).
  public mutating func replace(
    _ id: MediaAttachment.ID, with attachment: MediaAttachment, under rules: AttachmentRules
  ) -> [Event] {
    guard let index = index(of: id) else { return [] }
    var others = self
    others.items.remove(at: index)
    // The position and the bytes of the old attachment are free for the new one. A draft over a limit that was lowered
    // since does not grow.
    let reasons = rules.verdict(for: [attachment], given: others).files.flatMap(\.reasons)
    guard reasons.isEmpty else { return [.refused(attachment.id, reasons)] }
    items[index] = Item(attachment: attachment, upload: .waiting)
    return [.replaced(id, by: attachment.id, at: index)]
  }

  /// Moves an attachment. `position` is its index after the move; a greater index than the last moves it to the end.
  public mutating func move(_ id: MediaAttachment.ID, to position: Int) -> [Event] {
    guard let index = index(of: id) else { return [] }
    let target = min(max(0, position), items.count - 1)
    guard target != index else { return [] }
    items.insert(items.remove(at: index), at: target)
    return [.moved(id, from: index, to: target)]
  }

  /// Sets the crop of an image or video in upright pixels; nil for no crop (R-CHAT-12).
  ///
  /// The upload continues: the whole file is uploaded, and the server crops its renditions. A crop outside the image
  /// is refused.
  public mutating func crop(_ id: MediaAttachment.ID, to part: PixelRect?) -> [Event] {
    guard let index = index(of: id) else { return [] }
    if let part {
      guard let size = items[index].attachment.info.displaySize, part.lies(inside: size) else {
        return [.refused(id, [.invalidCrop])]
      }
    }
    guard items[index].attachment.crop != part else { return [] }
    items[index].attachment.crop = part
    return [.cropped(id, to: part)]
  }

  /// Sets the alternative text of an attachment; nil or an empty text removes it.
  public mutating func setAltText(_ id: MediaAttachment.ID, to text: String?) -> [Event] {
    let text = text?.isEmpty == true ? nil : text
    guard let index = index(of: id), items[index].attachment.altText != text else { return [] }
    items[index].attachment.altText = text
    return [.altTextChanged(id)]
  }

  /// Replaces the text. Returns no event if it is unchanged; ``AttachmentRules/maxTextScalars`` is checked when the draft is evaluated.
  public mutating func setText(_ text: String) -> [Event] {
    guard text != self.text else { return [] }
    self.text = text
    return [.textChanged]
  }

  /// Removes all attachments and keeps the text (R-TRAY-26).
  public mutating func clearSelection(under rules: AttachmentRules) -> [Event] {
    remove(under: rules) { _ in true }
  }

  /// Removes attachments whose asset was deleted from the photo library and that are not uploaded yet (R-TRAY-22).
  public mutating func remove(vanished assets: Set<AssetID>, under rules: AttachmentRules) -> [Event] {
    remove(under: rules) { item in
      item.upload != .uploaded && item.attachment.asset.map { assets.contains($0) } == true
    }
  }

  /// Removes attachments whose upload failed, so that the rest can be sent (C14).
  public mutating func removeFailed(under rules: AttachmentRules) -> [Event] {
    remove(under: rules) { if case .failed = $0.upload { true } else { false } }
  }

  private mutating func remove(under rules: AttachmentRules, where leaves: (Item) -> Bool) -> [Event] {
    let wasFull = isFull(under: rules)
    let leaving = items.filter(leaves).map(\.id)
    guard !leaving.isEmpty else { return [] }
    items.removeAll(where: leaves)
    return leaving.map { .removed($0) } + (wasFull && !isFull(under: rules) ? [.limitLeft] : [])
  }
}

extension Verdict.File {
  /// Whether the file is refused because of the maximum number of attachments.
  fileprivate var wantsPlace: Bool { reasons.contains { if case .tooManyAttachments = $0 { true } else { false } } }
}
