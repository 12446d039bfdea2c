internal import MediaModel

/// Why a draft cannot be sent yet.
public enum SendBlocker: Hashable, Sendable {
  /// There is neither an attachment nor text that is more than white space.
  case empty
  /// These are not on the server yet (R-TRAY-27).
  case uploading([MediaAttachment.ID])
  /// These failed: to be tried again or removed (C14).
  case failed([MediaAttachment.ID])
  /// The text has too many Unicode scalars.
  case textTooLong(limit: Int, actual: Int)
  /// Text and attachments have too many bytes. Equal to the limit can be sent (D6.5).
  case messageTooLarge(limit: Int, actual: Int)
  /// There are more attachments than the rules allow by now.
  case tooManyAttachments(limit: Int)
  /// The rules allow no attachment any more.
  case attachmentsDisabled
}

extension AttachmentDraft {
  /// An upload is in another state, says who runs it. Numbers of bytes are brought into the file's range. A late report of progress changes
  /// nothing: one that failed goes on after ``retry(_:)`` alone, and one that has to begin further back goes by way of waiting.
  public mutating func setUpload(_ state: UploadState, of id: MediaAttachment.ID) -> [DraftEvent] {
    guard let index = index(of: id) else { return [] }
    let state = state.clamped(to: items[index].attachment.info.bytes)
    guard state != items[index].upload, items[index].upload.canBecome(state) else { return [] }
    items[index].upload = state
    return [.uploadChanged(id, state)]
  }

  /// Tries a failed upload again, from the byte that it came to (R-TRAY-23).
  public mutating func retry(_ id: MediaAttachment.ID) -> [DraftEvent] {
    guard let index = index(of: id), case .failed(_, let bytes) = items[index].upload else { return [] }
    items[index].upload = bytes > 0 ? .uploading(bytesSent: bytes) : .waiting
    return [.uploadChanged(id, items[index].upload)]
  }

  /// Everything that stands in the way of sending; empty when it can be sent.
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
      blockers.append(.tooManyAttachments(limit: limit))
    }
    return blockers
  }

  /// Whether it can be sent now.
  public func canSend(under rules: AttachmentRules) -> Bool { sendBlockers(under: rules).isEmpty }
}

extension String.UnicodeScalarView {
  /// How many there are without the white space at both ends.
  var trimmedCount: Int {
    guard let first = firstIndex(where: { !$0.properties.isWhitespace }),
      let last = lastIndex(where: { !$0.properties.isWhitespace })
    else { return 0 }
    return distance(from: first, to: last) + 1
  }
}
