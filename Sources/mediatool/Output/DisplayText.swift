internal import FileSupport

/// Makes untrusted text safe for a terminal: it cannot move the cursor, change colors or reverse the writing direction.
enum DisplayText {
  /// The path with control and invisible characters escaped: `\n`, `\u{202E}`, `\xE9` for a byte that is not UTF-8.
  static func visible(_ path: PathBytes) -> String {
    var text = ""
    var rest = path.bytes[...]
    while !rest.isEmpty {
      var parser = UTF8.ForwardParser()
      var iterator = rest.makeIterator()
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        text += visible(UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { text += "\\x" + hexadecimal(UInt32(byte), digits: 2) }
        rest = rest.dropFirst(length)
      case .emptyInput: return text
      }
    }
    return text
  }

  /// The text with control and invisible characters escaped.
  static func visible(_ text: String) -> String { text.unicodeScalars.map(visible).joined() }

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\\": return "\\\\"
    default: return isHarmless(scalar) ? String(scalar) : "\\u{" + hexadecimal(scalar.value, digits: 1) + "}"
    }
  }

  /// Whether a terminal only displays the character.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    // Joiners are part of the spelling of Persian, Indian scripts and emoji, and affect only their own word.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
    switch scalar.properties.generalCategory {
    // Escape sequences begin with one of these, for example C1's U+009B.
    case .control: return false
    // Directions (U+202A…E, U+2066…9), invisible spaces, tags.
    case .format: return false
    case .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
