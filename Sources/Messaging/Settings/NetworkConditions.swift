/// What of a phone's network decides whether a message can travel. The defaults are those of a phone at home with service.
public struct NetworkConditions: Hashable, Codable, Sendable {
  /// Whether the radio is on.
  public var isRadioOn = true
  /// Whether there is a SIM card.
  public var hasSIM = true
  /// Whether the SIM that a message belongs to is there.
  public var isSIMMatched = true
  /// Whether that SIM is the active one.
  public var isSIMActive = true
  /// Whether that SIM is the one for data.
  public var isDataSIM = true
  /// Whether there is service.
  public var hasService = true
  /// Whether the phone is in a foreign network.
  public var isRoaming = false

  /// At home, with service.
  public init() {}

  /// Why nothing can be fetched, in the order in which it is looked at (A42).
  var fetchObstacle: MessageErrorCode? {
    if !isRadioOn { return .radioDisabledToDownload }
    if !hasSIM { return .noSIMCard }
    if !isSIMMatched { return .simNotMatched }
    if !isSIMActive { return .nonActiveSIMCard }
    return nil
  }

  /// Why nothing can be sent.
  var sendObstacle: MessageErrorCode? {
    if !isRadioOn { return .radioDisabled }
    if !hasSIM { return .noSIMCard }
    if !isSIMMatched { return .simNotMatched }
    if !isSIMActive { return .nonActiveSIMCardToSend }
    if !hasService { return .noSignal }
    return nil
  }
}

/// Why a message did not travel: a stable name. An open set (A46).
public struct MessageErrorCode: RawRepresentable, Hashable, Codable, Sendable {
  /// The name in JSON.
  public let rawValue: String
  /// A code of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// There is no SIM card.
  public static let noSIMCard = MessageErrorCode(rawValue: "noSIMCard")
  /// The radio is off.
  public static let radioDisabled = MessageErrorCode(rawValue: "radioDisabled")
  /// The radio is off, and something was to be fetched.
  public static let radioDisabledToDownload = MessageErrorCode(rawValue: "radioDisabledToDownload")
  /// The message belongs to the other SIM card.
  public static let nonActiveSIMCard = MessageErrorCode(rawValue: "nonActiveSIMCard")
  /// The message was to be sent with the other SIM card.
  public static let nonActiveSIMCardToSend = MessageErrorCode(rawValue: "nonActiveSIMCardToSend")
  /// There is no service.
  public static let noSignal = MessageErrorCode(rawValue: "noSignal")
  /// The message does not exist, here or at the operator's (R-MMS-54).
  public static let notFound = MessageErrorCode(rawValue: "notFound")
  /// An address cannot be sent to.
  public static let invalidAddress = MessageErrorCode(rawValue: "invalidAddress")
  /// The SIM card of the message is not in the phone.
  public static let simNotMatched = MessageErrorCode(rawValue: "simNotMatched")
  /// The SIM card allows fixed numbers only.
  public static let fdnCheck = MessageErrorCode(rawValue: "fdnCheck")
  /// The operator keeps the message no longer.
  public static let expired = MessageErrorCode(rawValue: "expired")
  /// It is being fetched or sent already.
  public static let pending = MessageErrorCode(rawValue: "pending")
  /// It was fetched or sent already.
  public static let alreadyDone = MessageErrorCode(rawValue: "alreadyDone")
  /// It cannot be stored.
  public static let storageFull = MessageErrorCode(rawValue: "storageFull")
  /// It is no message, or one of a future version.
  public static let unrecognized = MessageErrorCode(rawValue: "unrecognized")
  /// The operator refuses for good.
  public static let refused = MessageErrorCode(rawValue: "refused")
  /// The operator, or the way to it, failed for now.
  public static let transient = MessageErrorCode(rawValue: "transient")
  /// The program is ending.
  public static let shutdown = MessageErrorCode(rawValue: "shutdown")
  /// Anything else.
  public static let unknown = MessageErrorCode(rawValue: "unknown")

  /// Whether it goes away by itself, so that waiting helps.
  var isLackOfService: Bool { self == .noSignal || self == .radioDisabled || self == .radioDisabledToDownload }
}
