/// The user's settings for messages (R-MMS-55, R-MMS-56). The defaults are those of Firefox OS.
public struct MessageSettings: Hashable, Codable, Sendable {
  /// When multimedia messages are downloaded. Manually by default.
  public var retrievalMode = RetrievalMode.manual
  /// Whether to request delivery reports for multimedia messages. False by default.
  public var requestsMMSDeliveryReports = false
  /// Whether to request delivery reports for SMS. False by default.
  public var requestsSMSDeliveryReports = false
  /// Whether to request read reports. True by default.
  public var requestsReadReports = true
  /// Whether to send read reports on request. True by default.
  public var sendsReadReports = true
  /// Whether senders may get delivery reports. True by default, as in MMS encapsulation.
  public var allowsDeliveryReports = true

  /// Creates the default settings.
  public init() {}
}
