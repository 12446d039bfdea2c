extension MessageComposition {
  /// A reason why a message is sent as MMS.
  public enum TypeReason: Hashable, Sendable {
    /// SMS carries text only.
    case attachment
    /// SMS has no subject.
    case subject
    /// The text needs too many SMS segments.
    case tooManySegments(limit: Int, actual: Int)
    /// A recipient has an e-mail address.
    case emailRecipient
    /// The message has several recipients, and the profile groups them.
    case group

    /// The stable name of the reason.
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
}

extension MessageComposition.TypeReason: Encodable {
  private enum Keys: CodingKey { case code, limit, actual }

  /// Encodes the code, and the numbers of a reason that has some.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(code, forKey: .code)
    if case .tooManySegments(let limit, let actual) = self {
      try values.encode(limit, forKey: .limit)
      try values.encode(actual, forKey: .actual)
    }
  }
}

extension MessageComposition {
  /// All reasons for MMS; empty for an SMS (A16). Several phone numbers are no reason: each gets its own SMS
  /// (R-MMS-21).
  public func typeReasons(under profile: CarrierProfile) -> [TypeReason] {
    typeReasons(under: profile, segments: segments(under: profile).count)
  }

  func typeReasons(under profile: CarrierProfile, segments: Int) -> [TypeReason] {
    var reasons: [TypeReason] = []
    if !items.isEmpty { reasons.append(.attachment) }
    if sentSubject != nil { reasons.append(.subject) }
    if segments > profile.maxSMSSegments ?? SMSSegmenter.Segments.largestCount {
      reasons.append(
        .tooManySegments(limit: profile.maxSMSSegments ?? SMSSegmenter.Segments.largestCount, actual: segments))
    }
    if recipients.contains(where: \.isEmail) { reasons.append(.emailRecipient) }
    if profile.groupsRecipients, sendList.count > 1 { reasons.append(.group) }
    return reasons
  }

  /// The type of the message. It reverts to SMS once there is no reason for MMS.
  public func type(under profile: CarrierProfile) -> MessageType {
    typeReasons(under: profile).isEmpty ? .sms : .mms
  }

  /// The segments of the text for any message type, so that they are available when it reverts to SMS. Recipients do
  /// not matter.
  public func segments(under profile: CarrierProfile) -> SMSSegmenter.Segments { profile.segmenter.segments(of: text) }

  /// Whether to show the counter "available/count": from the second segment on, never for MMS (R-MMS-18, R-MMS-19,
  /// D6.4).
  public func showsCounter(under profile: CarrierProfile) -> Bool {
    let segments = segments(under: profile)
    return segments.showsCounter && typeReasons(under: profile, segments: segments.count).isEmpty
  }

  /// The links in each text, in the order of ``content``; attachments have none (R-MMS-26: the same before and after
  /// sending).
  public func links(_ detector: LinkDetector = LinkDetector()) -> [[LinkDetector.Link]] {
    content.map { if case .text(let text) = $0 { detector.links(in: text) } else { [] } }
  }
}
