extension MessageSending {
  /// What happens to a message on its way.
  public enum Event: Hashable, Codable, Sendable {
    /// It is to be sent now.
    case send(NetworkConditions)
    /// The operator has accepted a request; the id is its name for the message.
    case accepted(transactionID: String, messageID: String?)
    /// A request has failed.
    case requestFailed(transactionID: String, SendFailure)
    /// The time of ``Effect/setTimer(_:)`` has come.
    case timer
    /// There is service again.
    case serviceAvailable
    /// The radio went off, the SIM card changed, the program ends.
    case interrupted(MessageErrorCode)
    /// The program has started again, with this as it was stored.
    case restored
    /// The user sends it again after it has failed (R-MMS-40).
    case resend(NetworkConditions)
    /// The user deletes it, or gives up sending it.
    case delete
    /// A report of delivery: M-Delivery.ind, or SMS-STATUS-REPORT.
    case deliveryReport(address: String, DeliveryStatus)
    /// A report of reading: M-Read-Orig.ind.
    case readReport(address: String, wasRead: Bool)
  }

  /// How a request failed.
  public enum SendFailure: Hashable, Codable, Sendable {
    /// For now.
    case transient(MessageErrorCode)
    /// For good.
    case permanent(MessageErrorCode)

    /// What an X-Mms-Response-Status means; nil for Ok (OMA-TS-MMS-ENC 7.3.48: an unknown value counts as the first of its range, those of version
    /// 1.0, 81…88, are for good).
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
    /// Nobody fetched it in time.
    case expired = 0x80
    /// It was fetched.
    case retrieved
    /// It was not wanted.
    case rejected
    /// It is fetched later.
    case deferred
    /// The phone could not read it.
    case unrecognized
    /// The operator cannot tell.
    case indeterminate
    /// It went on to somebody else.
    case forwarded
    /// Nobody was there.
    case unreachable

    /// What it says of the delivery (A45).
    public var delivery: Delivery {
      switch self {
      case .retrieved: .success
      case .expired, .rejected, .unrecognized, .unreachable: .rejected
      case .deferred, .forwarded: .pending
      case .indeterminate: .notRequested
      }
    }
  }

  /// One request to the operator.
  public struct Request: Hashable, Codable, Sendable {
    /// X-Mms-Transaction-ID, and the name by which its answer comes back.
    public var transactionID: String
    /// To whom.
    public var addresses: [String]

    /// A request of those facts.
    public init(transactionID: String, addresses: [String]) {
      self.transactionID = transactionID
      self.addresses = addresses
    }
  }

  /// What is to be done, in this order.
  public enum Effect: Hashable, Codable, Sendable {
    /// Send to the operator.
    case submit(Request)
    /// Stop sending whatever is on its way.
    case cancelSubmit
    /// Come back with ``Event/timer`` then; an earlier timer is void.
    case setTimer(Double)
    /// No timer is needed any more.
    case cancelTimer
    /// Tell the user that it is sent, or for whom it has failed.
    case announce(State)
    /// Tell the user that it is delivered, or will not be (R-MMS-55).
    case delivery(address: String, Delivery)
    /// Tell the user that it was read, or deleted unread.
    case reading(address: String, Reading)
    /// Tell who asked that nothing is done, and why.
    case refuse(MessageErrorCode)
  }
}
