/// One header field of a message: its name and its value.
///
/// ``MMSMessage/subscript(_:)`` reads and writes most fields in a simpler way.
public struct MMSField: Hashable, Sendable {
  /// The name of a header field: an assigned number, or a text for a field of an extension.
  public enum Name: Hashable, Sendable, CustomStringConvertible {
    /// The assigned octet of a field that the MMS specifications define.
    case known(KnownName)
    /// By text: an application header, such as `Return-Path`.
    case application(TextString)

    /// The name as text.
    public var description: String {
      switch self {
      case .known(let name): name.description
      case .application(let name): name.text
      }
    }
  }

  /// The forms of a value on the wire.
  public indirect enum Value: Hashable, Sendable {
    /// A single octet with its high bit set: yes and no, states, statuses.
    case token(UInt8)
    /// A Long-integer or Integer-value of WSP: a size, a count or a position in a list.
    case integer(Int)
    /// A Text-string of WSP, without a charset: an id, or a URL.
    case text(TextString)
    /// A text with its charset.
    case encodedString(EncodedString)
    /// A time, absolute or relative.
    case time(Time)
    /// The value of From: an address, or a request to the carrier to insert it.
    case sender(MMSMessage.Sender)
    /// A value after a number: in Previously-Sent-By and -Date, and in an answer about several messages.
    case counted(Int, Value)
    /// Keywords of a message in a mailbox: the token states whether to add (0x80), remove (0x81) or search for (0x82) them.
    case keywords(UInt8, EncodedString)
    /// The size of a mailbox: the token states whether it is in messages (0x80) or octets (0x81).
    case amount(UInt8, Int)
    /// A content reference with its parameters.
    case element(TextString, [WSPHeader.Parameter])
    /// Fields inside a field, without further nesting.
    case fields([MMSField])
    /// Octets: the value of an unknown field, or one that does not have the form of its field.
    case opaque(ArraySlice<UInt8>)
  }

  /// An assigned number, or the text of an extension's field.
  public var name: Name
  /// The value, decoded as the field's type requires, or its octets.
  public var value: Value

  /// A field of any name, assigned or of an application.
  public init(name: Name, value: Value) {
    self.name = name
    self.value = value
  }

  /// A field with an assigned number.
  public init(_ name: KnownName, _ value: Value) { self.init(name: .known(name), value: value) }

  /// A field of an application: its name and its value are encoded as text (OMA-TS-MMS-ENC §7.2).
  public init(application name: String, _ text: String) {
    self.init(name: .application(TextString(name)), value: .text(TextString(text)))
  }
}

extension MMSField {
  /// A time relative to 1970, or to the arrival or sending of the PDU.
  public enum Time: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    case absolute(Int)
    /// Seconds from now.
    case relative(Int)

    /// Seconds since 1970; a relative time is added to `now`. Nil if the sum overflows.
    public func seconds(from now: Int) -> Int? {
      switch self {
      case .absolute(let seconds): return seconds
      case .relative(let seconds):
        let (sum, overflow) = now.addingReportingOverflow(seconds)
        return overflow ? nil : sum
      }
    }
  }
}

extension MMSMessage {
  /// What From contains: an address, or that the relay has to insert it.
  public enum Sender: Hashable, Sendable {
    /// Insert-address-token: the relay inserts the sender's address, because a phone may not know its own number.
    case insertAddress
    /// Address-present-token: the address follows, with its type such as `/TYPE=PLMN`.
    case address(EncodedString)
  }
}
