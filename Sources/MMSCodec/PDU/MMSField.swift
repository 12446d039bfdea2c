/// One header field of a message: its name and its value.
///
/// ``MMSMessage/subscript(_:)`` reads and writes most fields in a simpler way.
public struct MMSField: Hashable, Sendable {
  /// How a field is named.
  public enum Name: Hashable, Sendable, CustomStringConvertible {
    /// By its octet.
    case known(MMSFieldName)
    /// In words: an application header, such as `Return-Path`.
    case application(TextString)

    /// The name in words.
    public var description: String {
      switch self {
      case .known(let name): name.description
      case .application(let name): name.text
      }
    }
  }

  /// The forms a value has on the wire.
  public indirect enum Value: Hashable, Sendable {
    /// A single octet with its high bit: yes and no, states, statuses.
    case token(UInt8)
    /// A number.
    case integer(Int)
    /// A Text-string.
    case text(TextString)
    /// A text with its charset.
    case encodedString(EncodedString)
    /// A moment, absolute or relative.
    case time(MMSTime)
    /// Who sent it.
    case sender(MMSSender)
    /// A value behind a number: of Previously-Sent-By and -Date, and of an answer about several messages.
    case counted(Int, Value)
    /// Keywords of a mailbox's message: the token says whether they are added (0x80), removed (0x81) or looked for (0x82).
    case keywords(UInt8, EncodedString)
    /// A mailbox's size: the token says whether it is in messages (0x80) or octets (0x81).
    case amount(UInt8, Int)
    /// A content reference with its parameters.
    case element(TextString, [WSPParameter])
    /// Fields inside a field; those do not hold any again.
    case fields([MMSField])
    /// Octets as they stand: the value of an unknown field, or of one that it does not fit.
    case opaque(ArraySlice<UInt8>)
  }

  /// Its name.
  public var name: Name
  /// Its value.
  public var value: Value

  /// A field as it stands.
  public init(name: Name, value: Value) {
    self.name = name
    self.value = value
  }

  /// A known field.
  public init(_ name: MMSFieldName, _ value: Value) { self.init(name: .known(name), value: value) }

  /// An application header.
  public init(application name: String, _ text: String) {
    self.init(name: .application(TextString(name)), value: .text(TextString(text)))
  }
}

/// A moment that is counted from 1970, or from when the PDU arrives or is sent.
public enum MMSTime: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  case absolute(Int)
  /// Seconds from now.
  case relative(Int)

  /// Seconds since 1970, counted from `now` where it is relative; nil when that number does not exist.
  public func seconds(from now: Int) -> Int? {
    switch self {
    case .absolute(let seconds): return seconds
    case .relative(let seconds):
      let (sum, overflow) = now.addingReportingOverflow(seconds)
      return overflow ? nil : sum
    }
  }
}

/// The value of From.
public enum MMSSender: Hashable, Sendable {
  /// The relay is asked to put the sender's address in.
  case insertAddress
  /// The sender's address.
  case address(EncodedString)
}
