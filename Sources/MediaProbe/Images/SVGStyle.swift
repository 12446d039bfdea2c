internal import MediaModel

/// Refuses style sheets and style attributes with a document in a `data:` URL, which librsvg opens wherever CSS allows
/// a URL.
///
/// CSS is not parsed. A URL begins after a parenthesis or a quotation mark, and escapes that could hide one are
/// refused.
enum SVGStyle {
  /// Checks the text of all style elements, with references replaced.
  static func check(sheet: [UInt8]) throws(MediaFailure) {
    try check(sheet, allowsFonts: true)
  }

  /// Checks the value of an attribute, with references replaced. Without a parenthesis there is no URL.
  static func check(attribute: some Collection<UInt8>) throws(MediaFailure) {
    guard attribute.contains(UInt8(ascii: "(")) else { return }
    try check(attribute, allowsFonts: false)
  }

  /// Checks `<?xml-stylesheet href="…"?>` wherever something looks like one.
  static func check(instructionsIn bytes: [UInt8]) throws(MediaFailure) {
    for place in bytes.ranges(of: Array("<?xml-stylesheet".utf8)) {
      let text = bytes[place.upperBound...].prefix { $0 != UInt8(ascii: ">") }
      guard !text.contains(UInt8(ascii: "&")) else { throw SVGScreen.refused("entities in a style sheet") }
      try check(text, allowsFonts: false)
    }
  }

  private static func check(_ css: some Collection<UInt8>, allowsFonts: Bool) throws(MediaFailure) {
    guard !css.contains(UInt8(ascii: "\\")) else { throw SVGScreen.refused("escapes in a style sheet") }
    let text = css.filter { $0 > 0x20 }.map(\.asciiLowercased)
    let addresses = text.ranges(of: Array("data:".utf8)).filter { place in
      place.lowerBound > 0
        && [UInt8(ascii: "("), UInt8(ascii: "\""), UInt8(ascii: "'")].contains(text[place.lowerBound - 1])
    }
    guard !addresses.isEmpty else { return }
    // A style sheet goes on behind what it does not understand, so that one could begin like a font.
    guard allowsFonts, text.ranges(of: Array("@import".utf8)).isEmpty else {
      throw SVGScreen.refused("data URLs in a style sheet")
    }
    for place in addresses where !isFont(text[place.upperBound...]) {
      throw SVGScreen.refused("data URLs in a style sheet")
    }
  }

  /// Whether the content of a URL, in lower case, begins like an embedded font and unlike any XML document. Drawing
  /// programs embed fonts; librsvg does not load them.
  private static func isFont(_ address: ArraySlice<UInt8>) -> Bool {
    let head = address.prefix(64)
    guard let comma = head.firstIndex(of: UInt8(ascii: ",")),
      String(decoding: head[..<comma], as: UTF8.self).hasSuffix(";base64")
    else { return false }
    // wOFF, wOF2, OTTO, true, and 00 01 00 00, in base64.
    let beginnings = ["d09gr", "d09gm", "t1rut", "dhj1z", "aaeaa"]
    return beginnings.contains(String(decoding: address[(comma + 1)...].prefix(5), as: UTF8.self))
  }
}
