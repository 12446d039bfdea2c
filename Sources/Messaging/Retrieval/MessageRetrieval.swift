/// The retrieval of a multimedia message: from its notification until it is downloaded, expired or deleted.
///
/// A state machine without a clock or I/O: it takes events and the time, and returns the new state and effects. Store
/// it after each event, before carrying out its effects. A restored one resumes with ``Event/restored``.
///
/// Times are seconds since 1970-01-01T00:00:00Z, all from the same clock.
public struct MessageRetrieval: Hashable, Codable, Sendable {
  /// What a retrieval waits for, or how it ended.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// Waits for the user to request the download.
    case manual
    /// Rejected; it can still be downloaded if the carrier has it.
    case rejected
    /// The carrier was asked for the message; its bytes may be arriving.
    case pending
    /// Waits for the next attempt at ``MessageRetrieval/nextAttempt``, or for service.
    case waiting
    /// The download failed; the user may retry.
    case failed
    /// The message arrived: it is shown, even if it was no longer awaited.
    case received
    /// Deleted by the carrier.
    case expired
    /// Deleted by the user.
    case deleted
  }

  /// The facts of the M-Notification.ind that announced the message.
  public let notification: Notification
  /// The current state.
  public internal(set) var state: State
  /// The reason why the last attempt failed.
  public internal(set) var error: MessageErrorCode?
  /// The time of the next attempt in ``State/waiting``; nil if it waits for service.
  public internal(set) var nextAttempt: Double?
  /// Number of attempts since the notification or the user's last request.
  public internal(set) var attempts = 0
  /// The downloaded fraction, 0…1, during a download.
  public internal(set) var progress: Double?
  /// Bytes received so far, during a download whose size is known.
  public internal(set) var receivedBytes: Int?
  /// Bytes that are expected in all, during a download whose size is known.
  public internal(set) var totalBytes: Int?
  /// The response to the notification, which is sent once.
  public internal(set) var answer: NotifyStatus?
  /// Whether the user has read the message, so that a read report is sent once.
  public internal(set) var isRead = false
  /// The relevant fields of the downloaded message.
  public internal(set) var retrieved: Retrieved?

  /// When failed downloads are retried.
  public let schedule: RetrySchedule
  /// Whether the sender may get a delivery report.
  public let allowsReport: Bool
  /// Whether to send a read report on request.
  public let sendsReadReport: Bool

  /// The fields of an M-Notification.ind that retrieval needs.
  public struct Notification: Hashable, Codable, Sendable {
    /// X-Mms-Transaction-ID. Notifications with the same one are duplicates.
    public var transactionID: String
    /// X-Mms-Content-Location: the address to download from.
    public var contentLocation: String
    /// The time of arrival.
    public var receivedAt: Double
    /// The time at which the carrier deletes the message; nil if not stated (R-MMS-48).
    public var expiresAt: Double?

    /// Creates a notification with an absolute expiry.
    public init(transactionID: String, contentLocation: String, receivedAt: Double, expiresAt: Double? = nil) {
      self.transactionID = transactionID
      self.contentLocation = contentLocation
      self.receivedAt = receivedAt
      self.expiresAt = expiresAt
    }

    /// Creates a notification with an expiry in seconds after arrival, the usual form.
    public init(transactionID: String, contentLocation: String, receivedAt: Double, expiresAfter seconds: Double) {
      self.init(
        transactionID: transactionID, contentLocation: contentLocation, receivedAt: receivedAt,
        expiresAt: receivedAt + seconds)
    }

    /// Whether two notifications announce the same message (A44).
    public func announcesSame(as other: Notification) -> Bool {
      transactionID == other.transactionID || contentLocation == other.contentLocation
    }
  }

  /// The fields of a stored M-Retrieve.conf that are needed for responses.
  public struct Retrieved: Hashable, Codable, Sendable {
    /// X-Mms-Transaction-ID, if the carrier requests an acknowledgement.
    public var transactionID: String?
    /// Message-ID, for a read report.
    public var messageID: String?
    /// Whether the sender requests a read report.
    public var wantsReadReport: Bool

    /// Creates the fields of a downloaded message.
    public init(transactionID: String? = nil, messageID: String? = nil, wantsReadReport: Bool = false) {
      self.transactionID = transactionID
      self.messageID = messageID
      self.wantsReadReport = wantsReadReport
    }
  }

  /// X-Mms-Status of an M-NotifyResp.ind.
  public enum NotifyStatus: String, Codable, Sendable {
    /// The message was downloaded.
    case retrieved
    /// The user does not want the message.
    case rejected
    /// The message will be downloaded later.
    case deferred
    /// The message cannot be read.
    case unrecognized
  }
}
