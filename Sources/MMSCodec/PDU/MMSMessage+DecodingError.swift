extension MMSMessage {
  /// The reason why octets are not a valid PDU, and its offset.
  public struct DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why octets are no PDU.
    public enum Reason: Hashable, Sendable {
      /// There are no octets.
      case empty
      /// There is no X-Mms-Message-Type header.
      case noMessageType
      /// A message type that is not in OMA-TS-MMS-ENC 1.3.
      case unknownMessageType(UInt8)
      /// An octet with which no header begins, at the start of a header.
      case notAHeader(UInt8)
      /// The value ends after the last octet.
      case truncated
      /// More headers than a message may have.
      case tooManyFields
    }

    /// Offset of the error in octets from the start of the input.
    public let offset: Int
    /// Why decoding ended.
    public let reason: Reason

    /// - Parameter offset: In octets from the start of the input.
    public init(_ reason: Reason, at offset: Int) {
      self.reason = reason
      self.offset = offset
    }

    /// One sentence that contains no text of the input.
    public var description: String {
      switch reason {
      case .empty: "not an MMS PDU: the data is empty"
      case .noMessageType: "not an MMS PDU: no message type before offset \(offset)"
      case .unknownMessageType(let type):
        "not an MMS PDU: unknown message type \(type) at offset \(offset)"
      case .notAHeader(let octet): "not an MMS PDU: the octet \(octet) at offset \(offset) does not begin a header"
      case .truncated: "the value at offset \(offset) extends past the end of the PDU"
      case .tooManyFields: "too many headers: the limit was reached at offset \(offset)"
      }
    }
  }
}
