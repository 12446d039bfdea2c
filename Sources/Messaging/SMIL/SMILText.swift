/// The characters of a presentation, fit for an XML parser.
enum SMILText {
  /// Larger than any presentation: mmsd-tng's have 100 octets a part.
  static let limit = 131_072

  /// The document without its XML declaration, as characters; nil when it is too large, declares
  /// anything, or has processing instructions.
  ///
  /// The charset is that of the byte order mark, of the part, or of the XML declaration, in this order (RFC 7303 §3). The
  /// declaration goes, because the characters are handed on as UTF-8 whatever it says.
  static func text(of part: MMSPart) -> String? {
    let octets = part.content
    guard octets.count <= limit else { return nil }
    let charset =
      switch octets.prefix(2) {
      case [0xFF, 0xFE], [0xFE, 0xFF]: Charset.utf16
      case [0x00, 0x3C]: Charset.utf16BE
      case [0x3C, 0x00]: Charset.utf16LE
      default: part.contentType.charset ?? declaredCharset(octets) ?? .usASCII
      }
    // Some end with a NUL.
    let characters = charset.text(octets).unicodeScalars.filter { $0 != "\0" && $0 != "\u{FEFF}" }
    var text = Substring(String(String.UnicodeScalarView(characters))).drop { $0.isWhitespace }
    if text.hasPrefix("<?xml") {
      guard let end = text.firstRange(of: "?>") else { return nil }
      text = text[end.upperBound...].drop { $0.isWhitespace }
    }
    return forbidden.contains { text.contains($0) } ? nil : String(text)
  }

  /// What a presentation has no use for and parsers stumble over. Entities are bombs; declarations may make some; and Foundation's
  /// parser on Linux reads the text of a processing instruction without one (`<?x?>`) at address 0, which ends the process.
  private static let forbidden = ["<!ENTITY", "<!ATTLIST", "<!ELEMENT", "<!NOTATION", "<?"]

  /// The `encoding` of an XML declaration in an ASCII superset.
  private static func declaredCharset(_ octets: ArraySlice<UInt8>) -> Charset? {
    let head = String(decoding: octets.prefix(200), as: UTF8.self)
    guard head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>"),
      let name = head[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = head[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    // What can be read here is not in units of 16 bits, whatever it says.
    return Charset(name: String(value.dropFirst().prefix { $0 != quote })).flatMap { $0.isWide ? nil : $0 }
  }
}
