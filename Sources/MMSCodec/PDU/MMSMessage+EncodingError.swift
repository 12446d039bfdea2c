extension MMSMessage {
  /// The reason why a message cannot be encoded. Values that the format cannot represent are refused, never dropped or altered.
  public struct EncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why a message has no encoding.
    public enum Reason: Hashable, Sendable {
      /// A negative number, or one that exceeds 32 bits in a field of that size.
      case numberOutOfRange
      /// A text contains a NUL, which ends a text on the wire.
      case nulInText
      /// A text in UTF-16 ends within a code unit.
      case halfCharacter
      /// A name is empty, or its first octet would be decoded as something else.
      case unfitName
      /// A value whose form is not that of its field.
      case wrongValue
      /// A field that is a property of the message: the type, the version, the transaction or the content type.
      case reservedField
      /// Parts without a multipart type, or octets with one.
      case bodyOfOtherType
      /// More parameters, headers or parts than a decoder accepts.
      case tooMany
    }

    /// Why encoding ended.
    public let reason: Reason
    /// The field, if it is known.
    public internal(set) var field: MMSField.Name?

    init(_ reason: Reason, field: MMSField.Name? = nil) {
      self.reason = reason
      self.field = field
    }

    /// One line: the reason and the field.
    public var description: String {
      field.map { "\($0) cannot be encoded: \(reason)" } ?? "the message cannot be encoded: \(reason)"
    }
  }
}
