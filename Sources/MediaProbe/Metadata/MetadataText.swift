/// Sanitises text from a file for display: one line, at most 1,024 characters, no control characters.
enum MetadataText {
  /// Maximum characters; longer texts are cut.
  static let characterLimit = 1_024

  /// Decodes the text up to the first NUL; nil if nothing remains.
  ///
  /// Valid UTF-8 is decoded as such, anything else as Latin-1: EXIF declares no encoding, and cameras use both.
  static func clean(_ bytes: some Collection<UInt8>) -> String? {
    // A character has at most four bytes. A cut inside a character must not turn the text into Latin-1.
    let text = Array(bytes.prefix { $0 != 0 }.prefix(characterLimit * 4 + 4))
    if let valid = String(validating: text, as: UTF8.self) { return clean(valid) }
    if text.count == characterLimit * 4 + 4, let valid = String(validating: wholeCharacters(text), as: UTF8.self) {
      return clean(valid)
    }
    return clean(String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
  }

  /// Decodes UTF-16 up to the first NUL; lone surrogates become replacement characters.
  static func cleanUTF16(_ bytes: some Collection<UInt8>, bigEndian: Bool) -> String? {
    var units: [UInt16] = []
    var first: UInt8?
    for byte in bytes.prefix(characterLimit * 4) {
      guard let high = first else {
        first = byte
        continue
      }
      let unit = bigEndian ? UInt16(high) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(high)
      if unit == 0 { break }
      units.append(unit)
      first = nil
    }
    return clean(String(decoding: units, as: UTF16.self))
  }

  /// Removes characters that should not be displayed; nil if nothing remains.
  static func clean(_ text: String) -> String? {
    var scalars = String.UnicodeScalarView()
    // Defer spaces until another character follows, so that both ends are trimmed.
    var spaces = 0
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
        if !scalars.isEmpty { spaces += 1 }
        continue
      }
      if isHidden(scalar) { continue }
      for _ in 0..<spaces { scalars.append(" ") }
      spaces = 0
      scalars.append(scalar)
    }
    return scalars.isEmpty ? nil : String(String(scalars).prefix(characterLimit))
  }

  /// Whether a scalar is a control character or changes the text direction, which makes one name look like another.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Drops an incomplete character at the end of UTF-8 bytes.
  private static func wholeCharacters(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let last = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[last] >= 0x80 else { return bytes[...] }
    return bytes[..<last]
  }
}
