internal import Encodings

/// A Text-string of WAP-230-WSP §8.4.2.1: octets without a NUL, in no stated charset.
///
/// The octets are kept as they came, so that what is read is written again unchanged. The quote octet 0x7F and the terminating NUL
/// belong to the encoding and are not among them. A text that was decoded is a slice of the message: see `MMSMessage.init(decoding:)`.
public struct TextString: Hashable, Sendable {
  /// The octets as they are in the message, without the quote octet and the terminating NUL.
  public let octets: ArraySlice<UInt8>

  /// A text of these octets.
  public init(octets: ArraySlice<UInt8>) { self.octets = octets }

  /// A text in UTF-8.
  public init(_ text: String) { octets = ArraySlice(Array(text.utf8)) }

  /// The text as characters: UTF-8, which is what phones write, or ISO-8859-1 where the octets are no UTF-8.
  public var text: String { Charset.undeclaredText(octets) }
}

extension TextString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A text in UTF-8.
  public init(stringLiteral text: String) { self.init(text) }

  /// The characters of ``text``, without the charset.
  public var description: String { text }
}

extension TextString {
  /// Whether it is this word of US-ASCII, whatever the case: parameter and header names are compared so (RFC 2045 §5.1).
  func isWord(_ word: String) -> Bool {
    octets.count == word.utf8.count && zip(octets, word.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
  }

  private static func lowercased(_ octet: UInt8) -> UInt8 { (0x41...0x5A).contains(octet) ? octet | 0x20 : octet }
}
