public import Encodings

/// An Encoded-string-value (OMA-TS-MMS-ENC §7.3.19): a text with the charset it is written in, or without any.
///
/// The octets are kept as they came, so that a subject in Korean or cut inside a character survives being read and written;
/// ``text`` turns them into characters when asked.
public struct EncodedString: Hashable, Sendable {
  /// The declared charset; nil for a plain Text-string, which should be US-ASCII and in the field often is UTF-8.
  public let charset: Charset?
  /// The text in that charset, without quote and terminator.
  public let octets: ArraySlice<UInt8>

  /// A text whose octets are already in `charset`.
  ///
  /// ``MMSMessage/encoded()`` refuses what the format cannot carry: a NUL in an 8-bit charset, half a unit of UTF-16.
  public init(octets: ArraySlice<UInt8>, charset: Charset?) {
    self.octets = octets
    self.charset = charset
  }

  /// A text as we write it: a plain Text-string where US-ASCII is enough, else UTF-8.
  public init(_ text: String) {
    octets = ArraySlice(Array(text.utf8))
    charset = octets.allSatisfy { $0 < 0x80 } ? nil : .utf8
  }

  /// The text as characters, without a byte order mark. What cannot be read is U+FFFD; a character cut off at the end is left out.
  public var text: String { (charset ?? .usASCII).text(octets) }
}

extension EncodedString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A text as we write it.
  public init(stringLiteral text: String) { self.init(text) }

  /// ``text``.
  public var description: String { text }
}
