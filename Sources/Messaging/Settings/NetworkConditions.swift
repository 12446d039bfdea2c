/// The network conditions that determine whether a message can be transferred. By default a phone with service in its
/// home network.
public struct NetworkConditions: Hashable, Codable, Sendable {
  /// Whether the mobile radio is on; false in flight mode. True by default.
  public var isRadioOn = true
  /// Whether a SIM card is present.
  public var hasSIM = true
  /// Whether the SIM of the message is present.
  public var isSIMMatched = true
  /// Whether the SIM of the message is the one in use. True by default.
  public var isSIMActive = true
  /// Whether that SIM is used for data.
  public var isDataSIM = true
  /// Whether there is service.
  public var hasService = true
  /// Whether the phone is roaming.
  public var isRoaming = false

  /// Creates the default conditions.
  public init() {}

  /// The reason why nothing can be downloaded, in the order of the checks (A42).
  var fetchObstacle: MessageErrorCode? {
    if !isRadioOn { return .radioDisabledToDownload }
    if !hasSIM { return .noSIMCard }
    if !isSIMMatched { return .simNotMatched }
    if !isSIMActive { return .nonActiveSIMCard }
    return nil
  }

  /// The reason why nothing can be sent.
  var sendObstacle: MessageErrorCode? {
    if !isRadioOn { return .radioDisabled }
    if !hasSIM { return .noSIMCard }
    if !isSIMMatched { return .simNotMatched }
    if !isSIMActive { return .nonActiveSIMCardToSend }
    if !hasService { return .noSignal }
    return nil
  }
}

/// The reason why a message was not transferred. The set is open, and names are stable (A46).
public struct MessageErrorCode: RawRepresentable, Hashable, Codable, Sendable {
  /// The name in JSON.
  public let rawValue: String
  /// Creates the code with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No SIM card is present.
  public static let noSIMCard = MessageErrorCode(rawValue: "noSIMCard")
  /// The radio is off.
  public static let radioDisabled = MessageErrorCode(rawValue: "radioDisabled")
  /// The radio is off during a download.
  public static let radioDisabledToDownload = MessageErrorCode(rawValue: "radioDisabledToDownload")
  /// The message belongs to the other SIM card.
  public static let nonActiveSIMCard = MessageErrorCode(rawValue: "nonActiveSIMCard")
  /// The message is to be sent with the other SIM card.
  public static let nonActiveSIMCardToSend = MessageErrorCode(rawValue: "nonActiveSIMCardToSend")
  /// There is no service.
  public static let noSignal = MessageErrorCode(rawValue: "noSignal")
  /// The message does not exist, here or at the carrier (R-MMS-54).
  public static let notFound = MessageErrorCode(rawValue: "notFound")
  /// A recipient's address is neither a phone number nor an e-mail address.
  public static let invalidAddress = MessageErrorCode(rawValue: "invalidAddress")
  /// The SIM card of the message is not present.
  public static let simNotMatched = MessageErrorCode(rawValue: "simNotMatched")
  /// The SIM card only allows fixed dialling numbers; add the recipient to them, or turn fixed dialling off.
  public static let fdnCheck = MessageErrorCode(rawValue: "fdnCheck")
  /// The carrier has deleted the message.
  public static let expired = MessageErrorCode(rawValue: "expired")
  /// The message is already being downloaded or sent.
  public static let pending = MessageErrorCode(rawValue: "pending")
  /// The message has already been downloaded or sent.
  public static let alreadyDone = MessageErrorCode(rawValue: "alreadyDone")
  /// The message cannot be stored.
  public static let storageFull = MessageErrorCode(rawValue: "storageFull")
  /// The data is not a message, or is of a future version.
  public static let unrecognized = MessageErrorCode(rawValue: "unrecognized")
  /// The carrier refused permanently.
  public static let refused = MessageErrorCode(rawValue: "refused")
  /// The carrier or the connection failed temporarily.
  public static let transient = MessageErrorCode(rawValue: "transient")
  /// The app is ending.
  public static let shutdown = MessageErrorCode(rawValue: "shutdown")
  /// Any other reason.
  public static let unknown = MessageErrorCode(rawValue: "unknown")

  /// Whether the condition ends by itself, so that waiting helps.
  var isLackOfService: Bool { self == .noSignal || self == .radioDisabled || self == .radioDisabledToDownload }
}
