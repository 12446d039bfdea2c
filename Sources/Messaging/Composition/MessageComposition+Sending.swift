public import AttachmentPolicy

extension MessageComposition {
  /// A reason why a message cannot be sent.
  public enum Blocker: Hashable, Sendable {
    /// There are no recipients.
    case noRecipient
    /// These recipients are invalid; correct or remove them. A message is never sent to the other recipients only
    /// (R-MMS-2).
    case invalidRecipients([String])
    /// A multimedia message has too many recipients.
    case tooManyRecipients(limit: Int, actual: Int)
    /// The message has no text, no attachment and no subject.
    case empty
    /// The message exceeds the carrier's limit in bytes. A message equal to the limit can be sent.
    case tooLarge(limit: Int, actual: Int)
    /// Images are still being resized.
    case busy([MediaAttachment.ID])

    /// The stable name of the reason.
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
}

extension MessageComposition {
  /// The size of the encoded message in bytes.
  public func bytes(under profile: CarrierProfile) -> Int {
    switch type(under: profile) {
    case .sms: SMSSize.bytes(segments(under: profile))
    case .mms: MessageSize.bytes(of: self)
    }
  }

  /// The size in relation to the limit; always `under` for an SMS. It only blocks sending (D6.5).
  public func sizeState(under profile: CarrierProfile) -> SizeState {
    guard type(under: profile) == .mms else { return .under }
    let bytes = bytes(under: profile)
    if bytes == profile.maxMessageBytes { return .atLimit }
    return bytes < profile.maxMessageBytes ? .under : .over
  }

  /// All reasons why the message cannot be sent (R-MMS-6, A8); empty when it can.
  public func blockers(under profile: CarrierProfile) -> [Blocker] {
    var blockers: [Blocker] = []
    let list = sendList
    var seen: Set<String> = []
    // Nothing was entered in an empty entry.
    let invalid = invalidRecipients.map(\.address).filter { !$0.isEmpty && seen.insert($0).inserted }
    if !invalid.isEmpty {
      blockers.append(.invalidRecipients(invalid))
    } else if list.isEmpty {
      blockers.append(.noRecipient)
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

  /// Whether the message can be sent now.
  public func canSend(under profile: CarrierProfile) -> Bool { blockers(under: profile).isEmpty }
}
