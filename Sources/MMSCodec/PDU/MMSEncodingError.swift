/// Why a message cannot be written. Nothing is left out or altered silently: what the format cannot carry is refused.
public struct MMSEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A negative number, or one over 32 bits where only so many fit.
    case numberOutOfRange
    /// A text holds a NUL, which ends a text on the wire.
    case nulInText
    /// A text in UTF-16 ends in the middle of a unit.
    case halfCharacter
    /// A name is empty, or its first octet would be read as something else.
    case unfitName
    /// A value of another form than its field has.
    case wrongValue
    /// A field that has a property of its own: the message type, the version, the transaction or the content type.
    case reservedField
    /// Parts without a multipart type, or octets with one.
    case bodyOfOtherType
    /// More parameters, headers or parts than are read.
    case tooMany
  }

  /// What is wrong.
  public let reason: Reason
  /// The field it is about, where that is known.
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
