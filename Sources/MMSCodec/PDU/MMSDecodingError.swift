/// Why octets are no PDU: what was expected, and where it was missed.
public struct MMSDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There are no octets.
    case empty
    /// No field among the headers is X-Mms-Message-Type.
    case noMessageType
    /// A message type that OMA-TS-MMS-ENC 1.3 does not have.
    case unknownMessageType(UInt8)
    /// An octet where a header should begin, and none begins with it.
    case notAHeader(UInt8)
    /// The value ends behind the last octet.
    case truncated
    /// More headers than a message may have.
    case tooManyFields
  }

  /// Octets before the place, counted from the first of the input.
  public let offset: Int
  /// What is wrong there.
  public let reason: Reason

  /// An error at that place.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// One sentence, without a word of the input.
  public var description: String {
    switch reason {
    case .empty: "not an MMS PDU: the data is empty"
    case .noMessageType: "not an MMS PDU: no message type up to octet \(offset)"
    case .unknownMessageType(let type):
      "not an MMS PDU: unknown message type \(type) at octet \(offset)"
    case .notAHeader(let octet): "not an MMS PDU: no header starts with \(octet), at octet \(offset)"
    case .truncated: "the value at octet \(offset) extends past the end of the PDU"
    case .tooManyFields: "too many headers at octet \(offset)"
    }
  }
}
