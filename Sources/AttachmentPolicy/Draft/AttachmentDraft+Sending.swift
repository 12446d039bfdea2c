internal import MediaModel

extension AttachmentDraft {
  /// A reason why a draft cannot be sent yet.
  public enum SendBlocker: Hashable, Sendable {
    /// There are no attachments, and the text is empty or white space.
    case empty
    /// These attachments are not uploaded yet (R-TRAY-27).
    case uploading([MediaAttachment.ID])
    /// The uploads of these attachments failed: retry or remove them (C14).
    case failed([MediaAttachment.ID])
    /// The text has too many Unicode scalars.
    case textTooLong(limit: Int, actual: Int)
    /// Text and attachments have too many bytes. A message equal to the limit can be sent (D6.5).
    case messageTooLarge(limit: Int, actual: Int)
    /// There are more attachments than the current rules allow.
    case tooManyAttachments(limit: Int, actual: Int)
    /// The current rules allow no attachments.
    case attachmentsDisabled
  }
}

extension AttachmentDraft {
  /// Records the state of an upload, as its uploader reports it. Byte counts are clamped to the file size.
  ///
  /// A late progress report has no effect. A failed upload resumes only after ``retry(_:)``, and one that must restart
  /// from an earlier byte first returns to `waiting`.
  public mutating func setUpload(_ state: UploadState, of id: MediaAttachment.ID) -> [Event] {
    guard let index = index(of: id) else { return [] }
    let state = state.clamped(to: items[index].attachment.info.bytes)
    guard state != items[index].upload, items[index].upload.canBecome(state) else { return [] }
    items[index].upload = state
    return [.uploadChanged(id, state)]
  }

  /// Retries a failed upload from the last uploaded byte (R-TRAY-23).
  public mutating func retry(_ id: MediaAttachment.ID) -> [Event] {
    guard let index = index(of: id), case .failed(_, let bytes) = items[index].upload else { return [] }
    items[index].upload = bytes > 0 ? .uploading(bytesSent: bytes) : .waiting
    return [.uploadChanged(id, items[index].upload)]
  }

  /// All reasons why the draft cannot be sent; empty when it can.
  public func sendBlockers(under rules: AttachmentRules) -> [SendBlocker] {
    var blockers: [SendBlocker] = []
    let trimmed = text.unicodeScalars.trimmedCount
    if items.isEmpty, trimmed == 0 { blockers.append(.empty) }
    let running = items.filter {
      switch $0.upload {
      case .waiting, .uploading: true
      case .uploaded, .failed: false
      }
    }
    if !running.isEmpty { blockers.append(.uploading(running.map(\.id))) }
    let failed = items.filter { if case .failed = $0.upload { true } else { false } }
    if !failed.isEmpty { blockers.append(.failed(failed.map(\.id))) }
    if let limit = rules.maxTextScalars, trimmed > limit {
      blockers.append(.textTooLong(limit: limit, actual: trimmed))
    }
    let bytes = PolicyEvaluator(rules, text: text, attachments: attachments).bytes
    if let limit = rules.maxMessageBytes, bytes > limit {
      blockers.append(.messageTooLarge(limit: limit, actual: bytes))
    }
    if !items.isEmpty, !rules.allowsAttachments {
      blockers.append(.attachmentsDisabled)
    } else if let limit = rules.maxAttachments, items.count > limit {
      blockers.append(.tooManyAttachments(limit: limit, actual: items.count))
    }
    return blockers
  }

  /// Whether the draft can be sent now.
  public func canSend(under rules: AttachmentRules) -> Bool { sendBlockers(under: rules).isEmpty }
}

extension String.UnicodeScalarView {
  /// The number of Unicode scalars without leading and trailing white space.
  var trimmedCount: Int {
    guard let first = firstIndex(where: { !$0.properties.isWhitespace }),
      let last = lastIndex(where: { !$0.properties.isWhitespace })
    else { return 0 }
    return distance(from: first, to: last) + 1
  }
}
