extension MMSMessage {
  /// The meaning of an answer for the requester.
  public enum Outcome: Hashable, Sendable {
    /// The request was carried out.
    case ok
    /// A temporary failure: try again.
    case transient
    /// The same request will fail again: do not repeat it.
    case permanent
  }

  /// The status of an answer. Every octet has a meaning, including those without a name.
  public protocol AnswerStatus: MMSField.Token {
    /// The highest transient failure that has a name.
    static var lastTransient: UInt8 { get }
    /// The names of MMS 1.0 and of permanent failures.
    static var namedPermanent: [ClosedRange<UInt8>] { get }
  }
}

extension MMSMessage.AnswerStatus {
  /// Whether the request was carried out, can be repeated, or will fail again.
  public var outcome: MMSMessage.Outcome {
    switch rawValue {
    case 0x80: .ok
    case 0xC0...0xDF: .transient
    default: .permanent
    }
  }

  /// The status to act on: itself if it has a name; otherwise a nameless transient failure (0xC0) for 0xC0…0xDF, and a nameless permanent failure
  /// (0xE0) for all other octets (OMA-TS-MMS-ENC §7.3.48).
  public var resolved: Self {
    switch outcome {
    case .ok: self
    case .transient: rawValue <= Self.lastTransient ? self : Self(rawValue: 0xC0)
    case .permanent: Self.namedPermanent.contains { $0.contains(rawValue) } ? self : Self(rawValue: 0xE0)
    }
  }
}

extension MMSMessage {
  /// X-Mms-Response-Status (OMA-TS-MMS-ENC §7.3.48).
  public struct ResponseStatus: AnswerStatus {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The status of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The highest transient failure that has a name.
    public static let lastTransient: UInt8 = 0xC4
    /// The permanent failures that have names.
    public static let namedPermanent: [ClosedRange<UInt8>] = [0x81...0x88, 0xE0...0xEB]

    /// The request was carried out.
    public static let ok = ResponseStatus(rawValue: 0x80)
    /// MMS 1.0: an error without a name.
    public static let unspecified = ResponseStatus(rawValue: 0x81)
    /// MMS 1.0: the service is denied.
    public static let serviceDenied = ResponseStatus(rawValue: 0x82)
    /// MMS 1.0: the message cannot be read.
    public static let formatCorrupt = ResponseStatus(rawValue: 0x83)
    /// MMS 1.0: an address cannot be resolved.
    public static let addressUnresolved = ResponseStatus(rawValue: 0x84)
    /// MMS 1.0: there is no such message.
    public static let messageNotFound = ResponseStatus(rawValue: 0x85)
    /// MMS 1.0: a fault of the network.
    public static let networkProblem = ResponseStatus(rawValue: 0x86)
    /// MMS 1.0: the content is not accepted.
    public static let contentNotAccepted = ResponseStatus(rawValue: 0x87)
    /// MMS 1.0: the message is not supported.
    public static let unsupportedMessage = ResponseStatus(rawValue: 0x88)
    /// Try again later.
    public static let transientFailure = ResponseStatus(rawValue: 0xC0)
    /// An address cannot be resolved now.
    public static let transientAddressUnresolved = ResponseStatus(rawValue: 0xC1)
    /// The message is not there now.
    public static let transientMessageNotFound = ResponseStatus(rawValue: 0xC2)
    /// Error-transient-network-problem: the network or the MMSC is overloaded.
    public static let transientNetworkProblem = ResponseStatus(rawValue: 0xC3)
    /// Error-transient-partial-success: some of the requested actions were carried out.
    public static let transientPartialSuccess = ResponseStatus(rawValue: 0xC4)
    /// Trying again is of no use.
    public static let permanentFailure = ResponseStatus(rawValue: 0xE0)
    /// Error-permanent-service-denied: the MMSC refuses the service to this sender.
    public static let permanentServiceDenied = ResponseStatus(rawValue: 0xE1)
    /// The message cannot be read.
    public static let permanentFormatCorrupt = ResponseStatus(rawValue: 0xE2)
    /// An address cannot be resolved.
    public static let permanentAddressUnresolved = ResponseStatus(rawValue: 0xE3)
    /// There is no such message.
    public static let permanentMessageNotFound = ResponseStatus(rawValue: 0xE4)
    /// Error-permanent-content-not-accepted: the content is refused, for example for its size or type.
    public static let permanentContentNotAccepted = ResponseStatus(rawValue: 0xE5)
    /// Error-permanent-reply-charging-limitations-not-met: the reply exceeds a limit of what the sender pays for.
    public static let permanentReplyChargingLimitationsNotMet = ResponseStatus(rawValue: 0xE6)
    /// Error-permanent-reply-charging-request-not-accepted: the sender may not pay for replies.
    public static let permanentReplyChargingRequestNotAccepted = ResponseStatus(rawValue: 0xE7)
    /// A message with reply charging cannot be forwarded.
    public static let permanentReplyChargingForwardingDenied = ResponseStatus(rawValue: 0xE8)
    /// Error-permanent-reply-charging-not-supported: the MMSC has no reply charging.
    public static let permanentReplyChargingNotSupported = ResponseStatus(rawValue: 0xE9)
    /// The sender's address cannot be hidden.
    public static let permanentAddressHidingNotSupported = ResponseStatus(rawValue: 0xEA)
    /// There is no credit left.
    public static let permanentLackOfPrepaid = ResponseStatus(rawValue: 0xEB)
  }

  /// X-Mms-Retrieve-Status (OMA-TS-MMS-ENC §7.3.50).
  public struct RetrieveStatus: AnswerStatus {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The status of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The highest transient failure that has a name.
    public static let lastTransient: UInt8 = 0xC2
    /// The permanent failures that have names.
    public static let namedPermanent: [ClosedRange<UInt8>] = [0xE0...0xE3]

    /// The message is there.
    public static let ok = RetrieveStatus(rawValue: 0x80)
    /// Try again later.
    public static let transientFailure = RetrieveStatus(rawValue: 0xC0)
    /// The message is not there now.
    public static let transientMessageNotFound = RetrieveStatus(rawValue: 0xC1)
    /// A fault of the network.
    public static let transientNetworkProblem = RetrieveStatus(rawValue: 0xC2)
    /// Trying again is of no use.
    public static let permanentFailure = RetrieveStatus(rawValue: 0xE0)
    /// Error-permanent-service-denied: the MMSC refuses the service to this recipient.
    public static let permanentServiceDenied = RetrieveStatus(rawValue: 0xE1)
    /// There is no such message.
    public static let permanentMessageNotFound = RetrieveStatus(rawValue: 0xE2)
    /// The client cannot show the content.
    public static let permanentContentUnsupported = RetrieveStatus(rawValue: 0xE3)
  }

  /// X-Mms-Store-Status (OMA-TS-MMS-ENC §7.3.58).
  public struct StoreStatus: AnswerStatus {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The status of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The highest transient failure that has a name.
    public static let lastTransient: UInt8 = 0xC1
    /// The permanent failures that have names.
    public static let namedPermanent: [ClosedRange<UInt8>] = [0xE0...0xE4]

    /// Done.
    public static let ok = StoreStatus(rawValue: 0x80)
    /// Try again later.
    public static let transientFailure = StoreStatus(rawValue: 0xC0)
    /// A fault of the network.
    public static let transientNetworkProblem = StoreStatus(rawValue: 0xC1)
    /// Trying again is of no use.
    public static let permanentFailure = StoreStatus(rawValue: 0xE0)
    /// Error-permanent-service-denied: the MMSC refuses to store messages for this user.
    public static let permanentServiceDenied = StoreStatus(rawValue: 0xE1)
    /// The message cannot be read.
    public static let permanentFormatCorrupt = StoreStatus(rawValue: 0xE2)
    /// There is no such message.
    public static let permanentMessageNotFound = StoreStatus(rawValue: 0xE3)
    /// Error-permanent-mmbox-full: the network storage (MMBox) has no room for the message.
    public static let permanentMailboxFull = StoreStatus(rawValue: 0xE4)
  }
}
