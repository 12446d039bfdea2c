/// A multimedia message that waits at the operator's: from its notification until it is here, has expired or is deleted.
///
/// A state machine without a clock, a network or a disk: events and the time go in, the new state and effects come out. Store it
/// after each event, before its effects are carried out; a stored one that gets ``Event/restored`` goes on where it was.
///
/// Times are seconds since 1970 in UTC, of one clock, the one that was running when the notification came.
public struct MessageRetrieval: Hashable, Codable, Sendable {
  /// Where the message is.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// To be fetched when the user says so.
    case manual
    /// Not wanted; can still be fetched if the operator has it.
    case rejected
    /// Being fetched.
    case pending
    /// To be fetched again by itself, at ``MessageRetrieval/nextAttempt`` or when there is service.
    case waiting
    /// Could not be fetched; the user may try again.
    case failed
    /// Here.
    case received
    /// Kept by the operator no longer.
    case expired
    /// Deleted here.
    case deleted
  }

  /// What the notification says.
  public let notification: Notification
  /// Where the message is.
  public internal(set) var state: State
  /// Why the last attempt failed.
  public internal(set) var error: MessageErrorCode?
  /// When it is tried again, while ``State/waiting``.
  public internal(set) var nextAttempt: Double?
  /// Attempts since the user last said so, or since the notification.
  public internal(set) var attempts = 0
  /// What part of it is here while it is fetched, 0…1.
  public internal(set) var progress: Double?
  /// What the operator was told about the notification; it is told once.
  public internal(set) var answer: NotifyStatus?
  /// Whether the user has read it, so that a read report is sent once.
  public internal(set) var isRead = false
  /// What the message says when it is here.
  public internal(set) var retrieved: Retrieved?

  /// When a failed fetch is tried again.
  public let schedule: RetrySchedule
  /// Whether the sender may learn that it has arrived.
  public let allowsReport: Bool
  /// Whether a read report is sent when it is asked for.
  public let sendsReadReport: Bool

  /// An M-Notification.ind, as far as fetching needs it.
  public struct Notification: Hashable, Codable, Sendable {
    /// X-Mms-Transaction-ID: two notifications with one are the same.
    public var transactionID: String
    /// X-Mms-Content-Location: where it is fetched.
    public var contentLocation: String
    /// When it came.
    public var receivedAt: Double
    /// Until when the operator keeps the message; nil when it does not say (R-MMS-48).
    public var expiresAt: Double?

    /// A notification whose expiry is a time.
    public init(transactionID: String, contentLocation: String, receivedAt: Double, expiresAt: Double? = nil) {
      self.transactionID = transactionID
      self.contentLocation = contentLocation
      self.receivedAt = receivedAt
      self.expiresAt = expiresAt
    }

    /// A notification whose expiry is so many seconds after it came: the usual form.
    public init(transactionID: String, contentLocation: String, receivedAt: Double, expiresAfter seconds: Double) {
      self.init(
        transactionID: transactionID, contentLocation: contentLocation, receivedAt: receivedAt,
        expiresAt: receivedAt + seconds)
    }

    /// Whether two notifications announce one message (A44).
    public func announcesSame(as other: Notification) -> Bool {
      transactionID == other.transactionID || contentLocation == other.contentLocation
    }
  }

  /// An M-Retrieve.conf that was stored, as far as answering needs it.
  public struct Retrieved: Hashable, Codable, Sendable {
    /// X-Mms-Transaction-ID, when the operator wants to be told that it has arrived.
    public var transactionID: String?
    /// Message-ID, for a read report.
    public var messageID: String?
    /// Whether the sender asks for a read report.
    public var wantsReadReport: Bool

    /// A message of those facts.
    public init(transactionID: String? = nil, messageID: String? = nil, wantsReadReport: Bool = false) {
      self.transactionID = transactionID
      self.messageID = messageID
      self.wantsReadReport = wantsReadReport
    }
  }

  /// X-Mms-Status of an M-NotifyResp.ind.
  public enum NotifyStatus: String, Codable, Sendable {
    /// It is here.
    case retrieved
    /// It is not wanted.
    case rejected
    /// It is fetched later.
    case deferred
    /// It cannot be read.
    case unrecognized
  }
}
