public import Encodings

/// An Encoded-string-value (OMA-TS-MMS-ENC §7.3.19): a text with its charset, if declared.
///
/// The octets are kept unchanged, so that a subject in Korean, or one cut within a character, survives decoding and encoding; ``text`` converts them
/// on demand.
public struct EncodedString: Hashable, Sendable {
  /// The declared charset; nil for a plain Text-string, which should be US-ASCII and often is UTF-8 in practice.
  public let charset: Charset?
  /// The text in that charset, without quote and terminator.
  public let octets: ArraySlice<UInt8>

  /// A text whose octets are already in `charset`.
  ///
  /// ``MMSMessage/encoded()`` refuses what the format cannot represent: a NUL in an 8-bit charset, half a code unit of UTF-16.
  public init(octets: ArraySlice<UInt8>, charset: Charset?) {
    self.octets = octets
    self.charset = charset
  }

  /// A text as this library writes it: a plain Text-string if US-ASCII is sufficient, otherwise UTF-8.
  public init(_ text: String) {
    octets = ArraySlice(Array(text.utf8))
    charset = octets.allSatisfy { $0 < 0x80 } ? nil : .utf8
  }

  /// The text without a byte order mark. Invalid octets become U+FFFD; an incomplete character at the end is dropped.
  public var text: String { (charset ?? .usASCII).text(octets) }
}

extension EncodedString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A text as this library writes it.
  public init(stringLiteral text: String) { self.init(text) }

  /// ``text``.
  public var description: String { text }
}
