/// Something that a PDU gets wrong and that was read all the same.
public struct MMSDefect: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// A NUL between the headers.
    case strayOctet
    /// A value that has not the form of its field; it is kept as it stands.
    case malformedValue
    /// A second message type, transaction, or version; the first counts.
    case repeatedField
    /// The Content-Type is longer than it says.
    case contentTypeTooShort
    /// A part without a type, or with headers that cannot be read.
    case malformedPartHeaders
    /// Fewer parts than announced.
    case missingParts(Int)
    /// The octets end before the part does.
    case partCutOff
    /// Octets behind the last part.
    case trailingOctets(Int)
  }

  /// What is wrong.
  public let kind: Kind
  /// Octets before the place, counted from the first of the input.
  public let offset: Int

  /// One sentence.
  public var description: String { "\(kind) at octet \(offset)" }
}
