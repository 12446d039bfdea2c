extension MessageRetrieval {
  /// What happens to a retrieval: requests of the user, answers of the carrier, changes of the network.
  public enum Event: Hashable, Codable, Sendable {
    /// The user requests the download: Download or Retry (R-MMS-46, R-MMS-50).
    case start(NetworkConditions)
    /// Bytes received so far, and in total.
    case progress(received: Int, total: Int?)
    /// The message was downloaded and stored.
    case fetched(Retrieved)
    /// The message was downloaded but cannot be stored.
    case storeFailed
    /// The download failed.
    case fetchFailed(FetchFailure)
    /// The timer of ``Effect/setTimer(_:)`` fired.
    case timer
    /// The phone has service again: a retrieval that waits for it continues.
    case serviceAvailable
    /// The radio was switched off, the SIM card changed, or the app ends.
    case interrupted(MessageErrorCode)
    /// The app was restarted, and this state was restored.
    case restored
    /// The same notification arrived again.
    case notifiedAgain
    /// The user rejects the message.
    case reject
    /// The user has read the message.
    case read
    /// The user deletes the message.
    case delete
  }

  /// The reason why a download failed.
  public enum FetchFailure: Hashable, Codable, Sendable {
    /// Temporary: no connection, a timeout, HTTP 5xx, X-Mms-Retrieve-Status C0…DF.
    case transient(MessageErrorCode)
    /// Permanent: HTTP 4xx, X-Mms-Retrieve-Status E0…FF.
    case permanent(MessageErrorCode)
    /// The response is not a message.
    case unrecognized

    /// The failure for an X-Mms-Retrieve-Status; nil for success (OMA-TS-MMS-ENC 7.3.47: an unknown value counts as the
    /// first of its range).
    public init?(status: UInt8) {
      switch status {
      case 0x80: return nil
      case 0xC0...0xDF: self = .transient(.transient)
      case 0xE2: self = .permanent(.notFound)
      default: self = .permanent(.refused)
      }
    }

    /// The failure for an HTTP status; nil for success.
    public init?(httpStatus: Int) {
      switch httpStatus {
      case 200..<300: return nil
      case 404, 410: self = .permanent(.notFound)
      case 408, 429, 500...: self = .transient(.transient)
      default: self = .permanent(.refused)
      }
    }
  }

  /// An effect for the caller to carry out, in the order returned.
  public enum Effect: Hashable, Codable, Sendable {
    /// GET the address; attempts count from 1.
    case fetch(contentLocation: String, attempt: Int)
    /// Cancel the download.
    case cancelFetch
    /// Send M-NotifyResp.ind with the transaction ID of the notification.
    case notifyResponse(NotifyStatus, transactionID: String, reportAllowed: Bool)
    /// Send M-Acknowledge.ind with the transaction ID of the message.
    case acknowledge(transactionID: String, reportAllowed: Bool)
    /// Send M-Read-Rec.ind; `wasRead` is false if it was deleted unread.
    case readReport(messageID: String, wasRead: Bool)
    /// Set the timer: send ``Event/timer`` at that time. Replaces an earlier timer.
    case setTimer(Double)
    /// Cancel the timer that ``setTimer(_:)`` has set: do not send ``Event/timer`` for it.
    case cancelTimer
    /// Notify the user of a new message or a failed download (A40).
    case announce(State)
    /// Show the message instead of the notification (R-MMS-51).
    case replaceNotice
    /// Discard the downloaded message, because the user has deleted it.
    case discardMessage
    /// Report to the caller that nothing is done, and why.
    case refuse(MessageErrorCode)
  }

  /// What a message list shows (A40).
  public enum Shown: String, Codable, Sendable {
    /// A download button.
    case notDownloaded
    /// A progress indicator.
    case pending
    /// An error with a retry button.
    case error
    /// The note that the message has expired.
    case expired
    /// The content of the message.
    case received
    /// Nothing: the row is removed from the list.
    case deleted
  }

  /// What a message list shows at a time. Expiry is evaluated here, so no event is needed for it.
  public func shown(at now: Double) -> Shown {
    switch state {
    case .pending, .waiting: .pending
    case .received: .received
    case .deleted: .deleted
    case .expired: .expired
    case .manual, .rejected: hasExpired(at: now) ? .expired : .notDownloaded
    case .failed: hasExpired(at: now) ? .expired : .error
    }
  }

  /// Whether the carrier has deleted the message. It can still be downloaded in the last second.
  public func hasExpired(at now: Double) -> Bool { notification.expiresAt.map { $0 < now } ?? false }
}
