/// The number of terminal cells of a text, for the alignment of columns.
enum DisplayWidth {
  /// Cells of a text that is safe to display.
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// Cells of one character as read: 0, 1 or 2.
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // U+FE0F selects the color form, which is two cells wide.
    if scalars.contains(where: { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }) { return 2 }
    return scalars.map(cells).max() ?? 0
  }

  /// The text truncated to `width` cells at its end or its beginning, with an ellipsis.
  static func fitted(_ text: String, to width: Int, keepingEnd: Bool) -> String {
    guard of(text) > width else { return text }
    var kept: [Character] = []
    var used = 1
    // Read from the beginning in any case: from the end, a text of flags takes quadratic time.
    let characters = Array(text)
    for character in keepingEnd ? characters.reversed() : characters {
      used += of(character)
      if used > width { break }
      kept.append(character)
    }
    return keepingEnd ? "…" + String(kept.reversed()) : String(kept) + "…"
  }

  /// The text in lines of at most `width` cells, broken between words, and inside a word that is longer than a line.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    guard of(text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    var used = 0
    func end() {
      if !line.isEmpty { lines.append(line) }
      (line, used) = ("", 0)
    }
    for word in text.split(separator: " ") {
      let length = of(word)
      if used > 0, used + 1 + length > width { end() }
      if used > 0 {
        line += " "
        used += 1
      }
      for character in word {
        let cells = of(character)
        if used > 0, used + cells > width { end() }
        line.append(character)
        used += cells
      }
    }
    end()
    return lines
  }

  private static func cells(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// East Asian Width W and F (Unicode 15, UAX #11), adjacent blocks merged; emoji have a property of their own.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul initial consonants
    0x2E80...0x303E,  // CJK radicals and punctuation
    0x3041...0x33FF,  // Kana, Bopomofo, Hangul compatibility, CJK compatibility
    0x3400...0x4DBF,  // CJK extension A
    0x4E00...0xA4CF,  // CJK, Yi
    0xA960...0xA97F,  // Hangul extended A
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // CJK compatibility ideographs
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6F,  // CJK compatibility forms
    0xFF01...0xFF60,  // fullwidth forms
    0xFFE0...0xFFE6,  // fullwidth signs
    0x16FE0...0x18D08,  // Tangut, Khitan
    0x1AFF0...0x1B2FB,  // Kana supplements
    0x20000...0x3FFFD,  // CJK extensions B and on
  ]
}
