extension MessageRetrieval {
  /// What happens to a message that waits at the operator's.
  public enum Event: Hashable, Codable, Sendable {
    /// The user wants it: Download or Retry (R-MMS-46, R-MMS-50).
    case start(NetworkConditions)
    /// So many bytes are here, of so many.
    case progress(received: Int, total: Int?)
    /// It was fetched and stored.
    case fetched(Retrieved)
    /// It was fetched, and cannot be stored.
    case storeFailed
    /// It could not be fetched.
    case fetchFailed(FetchFailure)
    /// The time of ``Effect/setTimer(_:)`` has come.
    case timer
    /// There is service again.
    case serviceAvailable
    /// The radio went off, the SIM card changed, the program ends.
    case interrupted(MessageErrorCode)
    /// The program has started again, with this as it was stored.
    case restored
    /// The same notification came once more.
    case notifiedAgain
    /// The user does not want it.
    case reject
    /// The user has read it.
    case read
    /// The user deletes it.
    case delete
  }

  /// How fetching failed.
  public enum FetchFailure: Hashable, Codable, Sendable {
    /// For now: no link, a time-out, HTTP 5xx, X-Mms-Retrieve-Status C0…DF.
    case transient(MessageErrorCode)
    /// For good: HTTP 4xx, X-Mms-Retrieve-Status E0…FF.
    case permanent(MessageErrorCode)
    /// What came is no message.
    case unrecognized

    /// What an X-Mms-Retrieve-Status means; nil when it means that all is well (OMA-TS-MMS-ENC 7.3.47: an unknown value counts as the first of
    /// its range).
    public init?(status: UInt8) {
      switch status {
      case 0x80: return nil
      case 0xC0...0xDF: self = .transient(.transient)
      case 0xE2: self = .permanent(.notFound)
      default: self = .permanent(.refused)
      }
    }

    /// What an HTTP status means; nil for success.
    public init?(httpStatus: Int) {
      switch httpStatus {
      case 200..<300: return nil
      case 404, 410: self = .permanent(.notFound)
      case 408, 429, 500...: self = .transient(.transient)
      default: self = .permanent(.refused)
      }
    }
  }

  /// What is to be done, in this order.
  public enum Effect: Hashable, Codable, Sendable {
    /// GET that address; the attempt counts from 1.
    case fetch(contentLocation: String, attempt: Int)
    /// Stop fetching.
    case cancelFetch
    /// Send M-NotifyResp.ind with the transaction of the notification.
    case notifyResponse(NotifyStatus, transactionID: String, reportAllowed: Bool)
    /// Send M-Acknowledge.ind with the transaction of the message.
    case acknowledge(transactionID: String, reportAllowed: Bool)
    /// Send M-Read-Rec.ind; false when it was deleted unread.
    case readReport(messageID: String, wasRead: Bool)
    /// Come back with ``Event/timer`` then; an earlier timer is void.
    case setTimer(Double)
    /// No timer is needed any more.
    case cancelTimer
    /// Tell the user that there is something to fetch, or that it could not be fetched (A40).
    case announce(State)
    /// Show the message in the place of the notice (R-MMS-51).
    case replaceNotice
    /// Throw away what was fetched: the user has deleted it.
    case discardMessage
    /// Tell who asked that nothing is done, and why.
    case refuse(MessageErrorCode)
  }

  /// What a list shows (A40).
  public enum Shown: String, Codable, Sendable {
    /// A button to fetch it.
    case notDownloaded
    /// A spinner.
    case pending
    /// A failure, with a button to try again.
    case error
    /// That it has expired.
    case expired
    /// The message.
    case received
    /// Nothing.
    case deleted
  }

  /// What a list shows at that time. Expiry is looked at when it is drawn: nobody need have told the machine.
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

  /// Whether the operator keeps it no longer. At the last second it can still be fetched.
  public func hasExpired(at now: Double) -> Bool { notification.expiresAt.map { $0 < now } ?? false }
}
