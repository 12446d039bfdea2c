/// Why a message goes as MMS.
public enum MessageTypeReason: Hashable, Sendable {
  /// It has an attachment.
  case attachment
  /// It has a subject.
  case subject
  /// Its text would be so many SMS.
  case tooManySegments(limit: Int, actual: Int)
  /// A recipient has an e-mail address.
  case emailRecipient
  /// It goes to a group, and the carrier's groups share one message.
  case group

  /// Its stable name.
  public var code: String {
    switch self {
    case .attachment: "attachment"
    case .subject: "subject"
    case .tooManySegments: "tooManySegments"
    case .emailRecipient: "emailRecipient"
    case .group: "group"
    }
  }
}

extension MessageComposition {
  /// All reasons for MMS; none for an SMS (A16). Several phone numbers are no reason: each gets an SMS of its own (R-MMS-21).
  public func typeReasons(under profile: CarrierProfile) -> [MessageTypeReason] {
    typeReasons(under: profile, segments: segments(under: profile).count)
  }

  func typeReasons(under profile: CarrierProfile, segments: Int) -> [MessageTypeReason] {
    var reasons: [MessageTypeReason] = []
    if !items.isEmpty { reasons.append(.attachment) }
    if sentSubject != nil { reasons.append(.subject) }
    if segments > profile.maxSMSSegments ?? SMSSegments.largestCount {
      reasons.append(
        .tooManySegments(limit: profile.maxSMSSegments ?? SMSSegments.largestCount, actual: segments))
    }
    if recipients.contains(where: \.isEmail) { reasons.append(.emailRecipient) }
    if profile.groupsRecipients, sendList.count > 1 { reasons.append(.group) }
    return reasons
  }

  /// As what it goes. It goes back to SMS by itself when the last reason has gone.
  public func type(under profile: CarrierProfile) -> MessageType {
    typeReasons(under: profile).isEmpty ? .sms : .mms
  }

  /// The segments of its text, whatever it goes as: so they are there when it falls back to SMS. Who it goes to makes no difference.
  public func segments(under profile: CarrierProfile) -> SMSSegments { profile.segmenter.segments(of: text) }

  /// Whether the counter "available/count" is shown: from the second segment on, never for MMS (R-MMS-18, R-MMS-19, D6.4).
  public func showsCounter(under profile: CarrierProfile) -> Bool {
    let segments = segments(under: profile)
    return segments.showsCounter && typeReasons(under: profile, segments: segments.count).isEmpty
  }

  /// The links in its text, text by text, as ``content`` has them; attachments have none (R-MMS-26: the same before and after sending).
  public func links(_ detector: LinkDetector = LinkDetector()) -> [[TextLink]] {
    content.map { if case .text(let text) = $0 { detector.links(in: text) } else { [] } }
  }
}
