extension MMSMessage {
  /// A violation of the specification that the decoder tolerates.
  public struct Defect: Hashable, Sendable, CustomStringConvertible {
    /// How a PDU differs from the specification without being unreadable.
    public enum Kind: Hashable, Sendable {
      /// A NUL between the headers.
      case strayOctet
      /// A value that does not have the form of its field; it is kept as octets.
      case malformedValue
      /// A text that begins with an octet of 0x80…0xFF without the quote octet 0x7F before it.
      case missingQuote
      /// A second message type, transaction or version; the first one is used.
      case repeatedField
      /// The Content-Type is longer than its stated length.
      case contentTypeTooShort
      /// A part without a type, or with unreadable headers.
      case malformedPartHeaders
      /// Fewer parts than stated.
      case missingParts(Int)
      /// A part is longer than the remaining octets.
      case partCutOff
      /// Octets after the last part.
      case trailingOctets(Int)
    }

    /// What is wrong; the decoder continued after it.
    public let kind: Kind
    /// Offset of the defect in octets from the start of the input.
    public let offset: Int

    /// One sentence.
    public var description: String { "\(kind) at offset \(offset)" }
  }
}
