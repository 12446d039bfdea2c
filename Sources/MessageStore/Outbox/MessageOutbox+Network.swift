public import Messaging

extension MessageOutbox {
  /// The connection to the carrier: two calls. A modem, an MMSC over HTTP, or a fake one in tests.
  public protocol Network: Sendable {
    /// Sends a request and waits for the carrier's answer.
    /// - Returns: The answer.
    /// - Throws: ``MessageOutbox/Failure`` if the carrier does not have the request. After any other error nobody knows: a multimedia
    ///   message is sent again with the same transaction, and an SMS fails with `MessageErrorCode.unknownOutcome`.
    func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer

    /// Downloads a message.
    /// - Parameters:
    ///   - location: X-Mms-Content-Location of its notification.
    ///   - progress: To be called with the bytes received so far, as often as there are more (R-MMS-49). Calls after the method returned do nothing.
    /// - Returns: The octets of an M-Retrieve.conf.
    /// - Throws: ``MessageOutbox/Failure``. Any other error is temporary.
    func fetch(_ location: String, progress: @escaping MessageOutbox.Progress) async throws -> [UInt8]
  }

  /// Takes the bytes that were received so far, and the bytes of the whole message; nil for the size that its notification states.
  public typealias Progress = @Sendable (_ received: Int, _ total: Int?) -> Void

  /// A request to the carrier.
  public enum Request: Hashable, Sendable {
    /// POST of a PDU to the carrier's MMSC: M-Send.req, M-NotifyResp.ind, M-Acknowledge.ind or M-Read-Rec.ind.
    case mms([UInt8])
    /// One SMS, in as many segments as its text needs.
    case sms(text: String, to: String, requestsDeliveryReport: Bool)
  }

  /// The carrier's answer to a request.
  public enum Answer: Hashable, Sendable {
    /// The octets of the answer: M-Send.conf, or nothing for the other PDUs.
    case mms([UInt8])
    /// The network has the SMS. Its reports have the reference.
    case sms(reference: String?)
  }

  /// Why the carrier does not have a request.
  public enum Failure: Error, Hashable, Sendable {
    /// A later attempt may succeed: no connection, or the carrier is busy.
    case transient(MessageErrorCode)
    /// No attempt will succeed.
    case permanent(MessageErrorCode)
  }
}
