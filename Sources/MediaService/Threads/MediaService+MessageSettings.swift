internal import MessageStore
public import Messaging

/// The settings of an owner for messages (R-MMS-55 … R-MMS-58).
extension MediaService {
  /// What is to change in the settings; what is nil stays.
  public struct MessageSettingsChange: Decodable, Sendable {
    /// When multimedia messages are downloaded: how notifications are answered.
    public var retrievalMode: MessageSettings.RetrievalMode?
    /// Whether to request delivery reports for multimedia messages.
    public var requestsMMSDeliveryReports: Bool?
    /// Whether SMS to be sent request a delivery report. Default nil: unchanged.
    public var requestsSMSDeliveryReports: Bool?
    /// Whether multimedia messages to be sent request a read report. Default nil: unchanged.
    public var requestsReadReports: Bool?
    /// Whether to send read reports on request.
    public var sendsReadReports: Bool?
    /// Whether senders may get delivery reports.
    public var allowsDeliveryReports: Bool?

    /// Changes nothing.
    public init() {}
  }

  /// The settings of the caller; the defaults of `MessageSettings` for an owner who has changed none.
  public func messageSettings(for caller: Caller) async throws(ServiceError) -> MessageSettings {
    try caller.require(.read)
    return try await readMessages(of: caller) { try $0.settings() } ?? MessageSettings()
  }

  /// Changes settings of the caller. They apply to messages that arrive or are sent from now on.
  /// - Returns: All settings.
  public func changeMessageSettings(
    _ change: MessageSettingsChange, for caller: Caller
  ) async throws(ServiceError) -> MessageSettings {
    try caller.require([.read, .write])
    return try await changeMessages(of: caller, creating: true) { store in
      try store.changeSettings { settings in
        if let mode = change.retrievalMode { settings.retrievalMode = mode }
        if let reports = change.requestsMMSDeliveryReports { settings.requestsMMSDeliveryReports = reports }
        if let reports = change.requestsSMSDeliveryReports { settings.requestsSMSDeliveryReports = reports }
        if let reports = change.requestsReadReports { settings.requestsReadReports = reports }
        if let reports = change.sendsReadReports { settings.sendsReadReports = reports }
        if let reports = change.allowsDeliveryReports { settings.allowsDeliveryReports = reports }
      }
      return try store.settings()
    }
  }
}
