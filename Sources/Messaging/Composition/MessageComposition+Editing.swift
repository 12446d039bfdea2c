public import AttachmentPolicy
public import MediaModel

extension MessageComposition {
  /// Replaces the whole content, for an editor that manages the order itself.
  public mutating func setContent(_ items: [Item], under profile: CarrierProfile) -> [Event] {
    edit(under: profile) { message in
      let before = Set(message.attachments.map(\.id))
      message.content = Self.merged(items)
      let after = message.attachments.map(\.id)
      message.resizing.formIntersection(after)
      let removed = before.subtracting(after).sorted { $0.rawValue < $1.rawValue }
      return removed.map { .removed($0) } + after.filter { !before.contains($0) }.map { .added($0) }
    }
  }

  /// Replaces all texts with one, at the position of the first text or else at the end.
  public mutating func setText(_ text: String, under profile: CarrierProfile) -> [Event] {
    edit(under: profile) { message in
      let position = message.content.firstIndex { if case .text = $0 { true } else { false } }
      var items = message.content.filter { if case .text = $0 { false } else { true } }
      items.insert(.text(text), at: min(position ?? items.count, items.count))
      message.content = Self.merged(items)
      return []
    }
  }

  /// Adds text at the end. It joins a text that is last, and begins a new item after an attachment.
  public mutating func append(text: String, under profile: CarrierProfile) -> [Event] {
    edit(under: profile) { message in
      message.content = Self.merged(message.content + [.text(text)])
      return []
    }
  }

  /// Appends attachments. Those that cannot be sent are refused one by one; the others are added (R-MMS-28, R-MMS-36,
  /// D6.8).
  ///
  /// The limit is that of the whole message: a file is refused if it is too large by itself, or together with what the
  /// message already contains. An image may exceed the limit, because its size can be reduced; it counts as 16 KiB, or
  /// its size if that is less.
  public mutating func attach(
    _ attachments: [MediaAttachment], under profile: CarrierProfile
  ) -> [Event] {
    edit(under: profile) { message in
      attachments.map { attachment in
        let reasons = message.refusals(of: attachment, at: nil, under: profile)
        guard reasons.isEmpty else { return .refused(attachment.id, reasons) }
        message.content.append(.attachment(AttachmentDraft.Item(attachment)))
        return .added(attachment.id)
      }
    }
  }

  /// Removes an attachment and joins the texts on both sides (R-MMS-34).
  public mutating func remove(_ id: MediaAttachment.ID, under profile: CarrierProfile) -> [Event] {
    edit(under: profile) { message in
      guard let index = message.index(of: id) else { return [] }
      message.content.remove(at: index)
      message.content = Self.merged(message.content)
      message.resizing.remove(id)
      return [.removed(id)]
    }
  }

  /// Replaces an attachment. If the new one is refused, the old one stays (R-MMS-35, A3).
  public mutating func replace(
    _ id: MediaAttachment.ID, with attachment: MediaAttachment, under profile: CarrierProfile
  ) -> [Event] {
    edit(under: profile) { message in
      guard let index = message.index(of: id) else { return [] }
      let reasons = message.refusals(of: attachment, at: index, under: profile)
      guard reasons.isEmpty else { return [.refused(attachment.id, reasons)] }
      message.content[index] = .attachment(AttachmentDraft.Item(attachment))
      message.resizing.remove(id)
      return [.replaced(id, by: attachment.id)]
    }
  }

  /// Marks images whose size is being reduced.
  public mutating func beginResizing(_ ids: Set<MediaAttachment.ID>) {
    resizing.formUnion(ids.intersection(attachments.map(\.id)))
  }

  /// Ends the resizing of an image. If it failed, pass the original facts.
  public mutating func endResizing(
    _ id: MediaAttachment.ID, info: MediaInfo, under profile: CarrierProfile
  ) -> [Event] {
    edit(under: profile) { message in
      message.resizing.remove(id)
      guard let index = message.index(of: id), case .attachment(let item) = message.content[index] else { return [] }
      let before = item.attachment.info.bytes
      var attachment = item.attachment
      attachment.info = info
      message.content[index] = .attachment(AttachmentDraft.Item(attachment, upload: item.upload))
      return info.bytes < before ? [.imageResized(id, fromBytes: before, toBytes: info.bytes)] : []
    }
  }

  /// Records how far the upload of an attachment is. Nothing happens if the message does not contain it.
  public mutating func setUpload(_ state: AttachmentDraft.UploadState, of id: MediaAttachment.ID) {
    guard let index = index(of: id), case .attachment(let item) = content[index] else { return }
    content[index] = .attachment(AttachmentDraft.Item(item.attachment, upload: state))
  }

  /// Sets and shows the subject, cut at the maximum length (A20).
  public mutating func setSubject(_ text: String, under profile: CarrierProfile) -> [Event] {
    edit(under: profile) { message in
      let line = Self.subjectText(text)
      message.subject = String(line.prefix(profile.maxSubjectLength))
      message.showsSubject = true
      return line.count >= profile.maxSubjectLength ? [.subjectLimit(profile.maxSubjectLength)] : []
    }
  }

  /// Shows or hides the subject; a hidden one is kept.
  public mutating func showSubject(_ isShown: Bool, under profile: CarrierProfile) -> [Event] {
    edit(under: profile) { message in
      message.showsSubject = isShown
      return []
    }
  }

  /// Replaces all recipients and evaluates the message under the profile: they may make it an MMS.
  public mutating func setRecipients(
    _ recipients: [MessageRecipient], under profile: CarrierProfile
  ) -> [Event] {
    edit(under: profile) { message in
      message.recipients = recipients
      return []
    }
  }

  /// Removes everything except the recipients. The only events are removals, so that bytes can be released (A17,
  /// R-MMS-7).
  public mutating func discard() -> [Event] {
    let removed = attachments.map(\.id)
    let recipients = recipients
    self = MessageComposition()
    self.recipients = recipients
    return removed.map { .removed($0) }
  }

  /// Changes the message and returns the resulting events.
  private mutating func edit(
    under profile: CarrierProfile, _ change: (inout MessageComposition) -> [Event]
  ) -> [Event] {
    let before = Look(of: self, under: profile)
    let events = change(&self)
    return events + before.events(to: Look(of: self, under: profile))
  }

  /// The reasons to refuse an attachment.
  ///
  /// - Parameter index: The position in ``content`` of the attachment that it replaces; nil if it is appended.
  private func refusals(
    of attachment: MediaAttachment, at index: Int?, under profile: CarrierProfile
  ) -> [Verdict.Reason] {
    var others = self
    if let index { others.content.remove(at: index) }
    var reasons: [Verdict.Reason] = []
    if others.index(of: attachment.id) != nil { reasons.append(.duplicate(of: attachment.id)) }
    if others.items.count >= profile.maxAttachments {
      reasons.append(.tooManyAttachments(limit: profile.maxAttachments))
    }
    let (bytes, limit) = (attachment.info.bytes, profile.maxMessageBytes)
    if bytes > limit, !attachment.canShrink { reasons.append(.fileTooLarge(limit: limit, actual: bytes)) }
    // Encoding the message to measure it is in vain when the file is refused anyway.
    guard reasons.isEmpty else { return reasons }
    let item = Item.attachment(AttachmentDraft.Item(attachment))
    others.content.insert(item, at: index ?? others.content.endIndex)
    let least = MessageSize.leastBytes(of: others)
    return least > limit ? [.messageTooLarge(limit: limit, actual: least)] : []
  }
}

/// The properties of a message whose changes are reported.
private struct Look {
  let type: MessageType
  let segments: Int
  let size: MessageComposition.SizeState

  init(of message: MessageComposition, under profile: CarrierProfile) {
    let text = message.text
    segments = text.isEmpty ? 0 : profile.segmenter.segments(of: text).count
    type = message.typeReasons(under: profile, segments: segments).isEmpty ? .sms : .mms
    size = message.sizeState(under: profile)
  }

  /// The differences as events. The first segment, an empty message without segments, and an MMS are not reported
  /// (A17).
  func events(to new: Look) -> [MessageComposition.Event] {
    var events: [MessageComposition.Event] = []
    if type != new.type { events.append(.typeChanged(from: type, to: new.type)) }
    if new.type == .sms, new.segments > 0, max(1, segments) != new.segments {
      events.append(.segmentChanged(from: segments, to: new.segments))
    }
    if size != new.size { events.append(.sizeStateChanged(from: size, to: new.size)) }
    return events
  }
}
