public import AttachmentPolicy

/// Why a message cannot be sent now.
public enum MessageBlocker: Hashable, Sendable {
  /// Nobody is named.
  case noRecipient
  /// None of the entries can be sent to.
  case invalidRecipients([String])
  /// A multimedia message goes to so many at most.
  case tooManyRecipients(limit: Int, actual: Int)
  /// It has no text, no attachment and no subject.
  case empty
  /// It has more bytes than the carrier takes. Equal can be sent.
  case tooLarge(limit: Int, actual: Int)
  /// Images are being made smaller.
  case busy([MediaAttachment.ID])

  /// Its stable name.
  public var code: String {
    switch self {
    case .noRecipient: "noRecipient"
    case .invalidRecipients: "invalidRecipients"
    case .tooManyRecipients: "tooManyRecipients"
    case .empty: "empty"
    case .tooLarge: "tooLarge"
    case .busy: "busy"
    }
  }
}

extension MessageComposition {
  /// Bytes of what would be sent.
  public func bytes(under profile: CarrierProfile) -> Int {
    switch type(under: profile) {
    case .sms: SMSSize.bytes(segments(under: profile))
    case .mms: MessageSize.bytes(of: self)
    }
  }

  /// How the size stands to the limit. An SMS is never at one; only sending is stopped by it (D6.5).
  public func sizeState(under profile: CarrierProfile) -> SizeState {
    guard type(under: profile) == .mms else { return .under }
    let bytes = bytes(under: profile)
    if bytes == profile.maxMessageBytes { return .atLimit }
    return bytes < profile.maxMessageBytes ? .under : .over
  }

  /// Everything that stands in the way of sending (R-MMS-6, A8).
  public func blockers(under profile: CarrierProfile) -> [MessageBlocker] {
    var blockers: [MessageBlocker] = []
    let list = sendList
    if list.isEmpty {
      let invalid = invalidRecipients.map(\.address).filter { !$0.isEmpty }
      blockers.append(invalid.isEmpty ? .noRecipient : .invalidRecipients(invalid))
    }
    if isEmpty { blockers.append(.empty) }
    if !resizing.isEmpty { blockers.append(.busy(attachments.map(\.id).filter(resizing.contains))) }
    guard type(under: profile) == .mms else { return blockers }
    if list.count > profile.maxRecipients {
      blockers.append(.tooManyRecipients(limit: profile.maxRecipients, actual: list.count))
    }
    let bytes = bytes(under: profile)
    if bytes > profile.maxMessageBytes {
      blockers.append(.tooLarge(limit: profile.maxMessageBytes, actual: bytes))
    }
    return blockers
  }

  /// Whether it can be sent now.
  public func canSend(under profile: CarrierProfile) -> Bool { blockers(under: profile).isEmpty }
}
