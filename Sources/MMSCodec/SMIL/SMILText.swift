internal import Encodings

/// The text of a presentation, prepared for an XML reader.
enum SMILText {
  /// Larger than any presentation: mmsd-tng writes 100 octets per part.
  static let limit = 131_072

  /// The document without its XML declaration, in UTF-8; nil if it is too large, or the declaration has no end.
  ///
  /// The charset is that of the byte order mark, of the part, or of the XML declaration, in this order (RFC 7303 §3). The XML declaration is
  /// removed, because the text is passed on as UTF-8. Octets are compared, because characters combine with their neighbours: a `<` after U+0600 is
  /// not a `<` to a String.
  static func utf8(of part: MMSMessage.Part) -> ArraySlice<UInt8>? {
    let octets = part.content
    guard octets.count <= limit else { return nil }
    let charset =
      switch octets.prefix(2) {
      case [0xFF, 0xFE], [0xFE, 0xFF]: Charset.utf16
      case [0x00, 0x3C]: Charset.utf16BE
      case [0x3C, 0x00]: Charset.utf16LE
      default: part.contentType.charset ?? declaredCharset(octets) ?? .usASCII
      }
    // Some senders append a NUL.
    let characters = Array(charset.text(octets).utf8).filter { $0 != 0 }
    var text = characters.drop(while: isSpace)
    if text.starts(with: "<?xml".utf8) {
      guard let end = index(of: "?>", in: text) else { return nil }
      text = text[(end + 2)...].drop(while: isSpace)
    }
    return text
  }

  /// The `encoding` of an XML declaration in an ASCII superset.
  private static func declaredCharset(_ octets: ArraySlice<UInt8>) -> Charset? {
    let head = octets.prefix(200)
    guard head.starts(with: "<?xml".utf8), let end = index(of: "?>", in: head),
      let name = index(of: "encoding", in: head[..<end])
    else { return nil }
    let value = head[(name + 8)..<end].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
    guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    let word = String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    // What is readable here does not use 16-bit units, whatever it states.
    return Charset(name: word).flatMap { $0.isWide ? nil : $0 }
  }

  private static func index(of word: String, in octets: ArraySlice<UInt8>) -> Int? {
    octets.indices.first { octets[$0...].starts(with: word.utf8) }
  }

  private static func isSpace(_ octet: UInt8) -> Bool { octet == 0x20 || (0x09...0x0D).contains(octet) }
}
