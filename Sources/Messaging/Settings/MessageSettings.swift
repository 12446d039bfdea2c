/// What a user sets for messages (R-MMS-55, R-MMS-56). The defaults are those of Firefox OS.
public struct MessageSettings: Hashable, Codable, Sendable {
  /// When multimedia messages are fetched. Default: by hand.
  public var retrievalMode = RetrievalMode.manual
  /// Whether delivery reports are asked for multimedia messages. Default no.
  public var requestsMMSDeliveryReports = false
  /// Whether delivery reports are asked for SMS. Default no.
  public var requestsSMSDeliveryReports = false
  /// Whether read reports are asked for. Default yes.
  public var requestsReadReports = true
  /// Whether read reports are sent when they are asked for. Default yes.
  public var sendsReadReports = true
  /// Whether senders may learn that their messages have arrived. Default yes, as in MMS encapsulation.
  public var allowsDeliveryReports = true

  /// The defaults.
  public init() {}
}
