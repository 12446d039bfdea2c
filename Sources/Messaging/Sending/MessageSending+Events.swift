extension MessageSending {
  /// What happens to a message that is sent: requests of the user, answers of the carrier, timers.
  public enum Event: Hashable, Codable, Sendable {
    /// Start sending.
    case send(NetworkConditions)
    /// The carrier accepted a request and assigned a Message-ID.
    case accepted(transactionID: String, messageID: String?)
    /// The request with this transaction id did not reach the carrier, or the carrier refused it.
    case requestFailed(transactionID: String, SendFailure)
    /// The timer of ``Effect/setTimer(_:)`` fired.
    case timer
    /// The phone has service again: a message that waits for it is sent.
    case serviceAvailable
    /// The radio was switched off, the SIM card changed, or the app ends.
    case interrupted(MessageErrorCode)
    /// The app was restarted, and this state was restored.
    case restored
    /// The user retries a failed message (R-MMS-40).
    case resend(NetworkConditions)
    /// The user deletes the message or cancels sending.
    case delete
    /// A delivery report: M-Delivery.ind, or SMS-STATUS-REPORT.
    case deliveryReport(address: String, DeliveryStatus)
    /// A read report: M-Read-Orig.ind.
    case readReport(address: String, wasRead: Bool)
  }

  /// The reason why a request failed.
  public enum SendFailure: Hashable, Codable, Sendable {
    /// A later attempt may succeed: the request is repeated after a pause.
    case transient(MessageErrorCode)
    /// Every attempt would fail: the request is not repeated.
    case permanent(MessageErrorCode)

    /// The failure for an X-Mms-Response-Status; nil for Ok (OMA-TS-MMS-ENC 7.3.48: an unknown value counts as the
    /// first of its range; those of version 1.0, 81…88, are permanent).
    public init?(status: UInt8) {
      switch status {
      case 0x80: return nil
      case 0xC1: self = .transient(.invalidAddress)
      case 0xC0...0xDF: self = .transient(.transient)
      case 0x84, 0xE3: self = .permanent(.invalidAddress)
      case 0x85, 0xE4: self = .permanent(.notFound)
      default: self = .permanent(.refused)
      }
    }
  }

  /// X-Mms-Status of a delivery report.
  public enum DeliveryStatus: UInt8, Codable, Sendable, CaseIterable {
    /// The message expired before it was downloaded.
    case expired = 0x80
    /// The message was downloaded.
    case retrieved
    /// The recipient rejected the message.
    case rejected
    /// The message will be downloaded later.
    case deferred
    /// The recipient's phone could not read the message.
    case unrecognized
    /// The carrier does not know.
    case indeterminate
    /// The message was forwarded.
    case forwarded
    /// The recipient was unreachable.
    case unreachable

    /// The delivery state that the status implies (A45).
    public var delivery: Delivery {
      switch self {
      case .retrieved: .success
      case .expired, .rejected, .unrecognized, .unreachable: .rejected
      case .deferred, .forwarded: .pending
      case .indeterminate: .notRequested
      }
    }
  }

  /// One request to the carrier.
  public struct Request: Hashable, Codable, Sendable {
    /// X-Mms-Transaction-ID, which the response repeats.
    public var transactionID: String
    /// The recipients of the request.
    public var addresses: [String]
    /// Whether to request a delivery report: X-Mms-Delivery-Report of an MMS, TP-Status-Report-Request of an SMS.
    public var requestsDeliveryReport: Bool
    /// Whether to request a read report: X-Mms-Read-Report. Always false for an SMS.
    public var requestsReadReport: Bool

    /// Creates a request; without reports by default.
    public init(
      transactionID: String, addresses: [String], requestsDeliveryReport: Bool = false,
      requestsReadReport: Bool = false
    ) {
      self.transactionID = transactionID
      self.addresses = addresses
      self.requestsDeliveryReport = requestsDeliveryReport
      self.requestsReadReport = requestsReadReport
    }
  }

  /// An effect for the caller to carry out, in the order returned.
  public enum Effect: Hashable, Codable, Sendable {
    /// Send the request to the carrier.
    case submit(Request)
    /// Cancel all requests in flight.
    case cancelSubmit
    /// Set the timer: send ``Event/timer`` at that time. Replaces an earlier timer.
    case setTimer(Double)
    /// Cancel the timer that ``setTimer(_:)`` has set: do not send ``Event/timer`` for it.
    case cancelTimer
    /// Notify the user that the message was sent, or of failed recipients.
    case announce(State)
    /// Notify the user that the message was delivered or will not be (R-MMS-55).
    case delivery(address: String, Delivery)
    /// Notify the user that the message was read or deleted unread.
    case reading(address: String, Reading)
    /// Report to the caller that nothing is done, and why.
    case refuse(MessageErrorCode)
  }
}
