public import MediaModel

extension AttachmentDraft {
  /// Puts a selection at the end, in its order: what the rules accept goes in, the rest is told as refused.
  public mutating func add(_ selection: [MediaAttachment], under rules: AttachmentRules) -> [DraftEvent] {
    let verdict = rules.verdict(for: selection, given: self)
    var events: [DraftEvent] = []
    for (attachment, file) in zip(selection, verdict.files) {
      if file.accepted {
        events.append(.added(attachment.id, at: items.count))
        items.append(Item(attachment: attachment, upload: .waiting))
      } else {
        events.append(.refused(attachment.id, file.reasons))
      }
    }
    // An empty pick is a cancelled one, and silent (A3, C4).
    if !selection.isEmpty, isFull(under: rules) || verdict.files.contains(where: \.wantsPlace),
      let limit = rules.maxAttachments, rules.allowsAttachments
    {
      events.append(.limitReached(limit: limit))
    }
    return events
  }

  /// Takes an attachment out. Its upload, if one runs, is for the caller to cancel.
  public mutating func remove(_ id: MediaAttachment.ID, under rules: AttachmentRules) -> [DraftEvent] {
    remove(under: rules) { $0.id == id }
  }

  /// Takes out everything that was made of a photo library's asset: more than one where rules let the same go twice (R-TRAY-7).
  public mutating func remove(asset: AssetID, under rules: AttachmentRules) -> [DraftEvent] {
    remove(under: rules) { $0.attachment.asset == asset }
  }

  /// Puts an attachment in the place of another. If the rules refuse it, the old one stays (R-MMS-35).
  public mutating func replace(
    _ id: MediaAttachment.ID, with attachment: MediaAttachment, under rules: AttachmentRules
  ) -> [DraftEvent] {
    guard let index = index(of: id) else { return [] }
    var others = self
    others.items.remove(at: index)
    // The old one's place and bytes are free for the new one; a draft over a limit that was lowered meanwhile gets no larger by it.
    let reasons = rules.verdict(for: [attachment], given: others).files.flatMap(\.reasons)
    guard reasons.isEmpty else { return [.refused(attachment.id, reasons)] }
    items[index] = Item(attachment: attachment, upload: .waiting)
    return [.replaced(id, by: attachment.id, at: index)]
  }

  /// Moves an attachment to another place, counted once it is out; a place behind the end is the last.
  public mutating func move(_ id: MediaAttachment.ID, to position: Int) -> [DraftEvent] {
    guard let index = index(of: id) else { return [] }
    let target = min(max(0, position), items.count - 1)
    guard target != index else { return [] }
    items.insert(items.remove(at: index), at: target)
    return [.moved(id, from: index, to: target)]
  }

  /// Chooses the part of an image or video that is sent, in upright pixels; nil for all of it (R-CHAT-12).
  ///
  /// The upload goes on: the whole file travels, and who makes images of it cuts them. What does not lie inside is refused.
  public mutating func crop(_ id: MediaAttachment.ID, to part: PixelRect?) -> [DraftEvent] {
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

  /// Changes the text.
  public mutating func setText(_ text: String) -> [DraftEvent] {
    guard text != self.text else { return [] }
    self.text = text
    return [.textChanged]
  }

  /// Takes all attachments out and leaves the text (R-TRAY-26).
  public mutating func clearSelection(under rules: AttachmentRules) -> [DraftEvent] {
    remove(under: rules) { _ in true }
  }

  /// Takes out what has vanished from the photo library and is not yet on the server (R-TRAY-22).
  public mutating func remove(vanished assets: Set<AssetID>, under rules: AttachmentRules) -> [DraftEvent] {
    remove(under: rules) { item in
      item.upload != .uploaded && item.attachment.asset.map { assets.contains($0) } == true
    }
  }

  /// Takes out what failed, so that the rest can be sent (C14).
  public mutating func removeFailed(under rules: AttachmentRules) -> [DraftEvent] {
    remove(under: rules) { if case .failed = $0.upload { true } else { false } }
  }

  private mutating func remove(under rules: AttachmentRules, where leaves: (Item) -> Bool) -> [DraftEvent] {
    let wasFull = isFull(under: rules)
    let leaving = items.filter(leaves).map(\.id)
    guard !leaving.isEmpty else { return [] }
    items.removeAll(where: leaves)
    return leaving.map { .removed($0) } + (wasFull && !isFull(under: rules) ? [.limitLeft] : [])
  }
}

extension FileVerdict {
  /// Whether it is the number of attachments that speaks against it.
  fileprivate var wantsPlace: Bool { reasons.contains { if case .tooManyAttachments = $0 { true } else { false } } }
}
