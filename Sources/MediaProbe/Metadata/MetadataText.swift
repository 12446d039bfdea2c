/// Text out of a file, made fit to be shown: one line, at most 1,024 characters, no control characters.
enum MetadataText {
  /// Longer texts are cut here.
  static let characterLimit = 1_024

  /// The text up to the first NUL: UTF-8 where that is valid, else Latin-1 (EXIF names no encoding, cameras use both). Nil when
  /// nothing is left.
  static func clean(_ bytes: some Collection<UInt8>) -> String? {
    // Four bytes are the most that one character takes, and a cut in the middle of one must not make the rest Latin-1.
    let text = Array(bytes.prefix { $0 != 0 }.prefix(characterLimit * 4 + 4))
    if let valid = String(validating: text, as: UTF8.self) { return clean(valid) }
    if text.count == characterLimit * 4 + 4, let valid = String(validating: wholeCharacters(text), as: UTF8.self) {
      return clean(valid)
    }
    return clean(String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
  }

  /// Big- or little-endian UTF-16 up to the first NUL; lone surrogates become replacement characters.
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

  /// The text without what cannot or should not be shown; nil when nothing is left.
  static func clean(_ text: String) -> String? {
    var scalars = String.UnicodeScalarView()
    // Spaces wait until something comes after them, so that none is left at either end.
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

  /// Control characters, and those that turn the direction of the text after them: they make one name look like another.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// UTF-8 bytes without the beginning of a character at their end.
  private static func wholeCharacters(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let last = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[last] >= 0x80 else { return bytes[...] }
    return bytes[..<last]
  }
}
