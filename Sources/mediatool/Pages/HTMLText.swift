/// Makes untrusted text safe for a page.
enum HTMLText {
  /// Escapes text for content and for attributes in double quotes: nothing is markup, invisible, or reverses the writing direction.
  static func escaped(_ text: String) -> String { escaped(text, keeps: DisplayText.isHarmless) }

  /// Escapes the text of a message for content: line ends, emoji and writing directions stay. Characters that reverse letters against their script
  /// are replaced, because they can make one address look like another.
  static func prose(_ text: String) -> String {
    escaped(text.replacing("\r\n", with: "\n")) { scalar in
      switch scalar {
      case "\n", "\t": true
      case "\u{202D}", "\u{202E}": false
      default: scalar.properties.generalCategory != .control
      }
    }
  }

  /// The address of a link, for an attribute; nil unless it opens a page, dials, writes or shows a location.
  static func address(_ text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), schemes.contains(text[..<colon].lowercased()) else { return nil }
    // Browsers remove some characters before they parse an address.
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && DisplayText.isHarmless($0) }) else { return nil }
    return escaped(text)
  }

  private static let schemes: Set<String> = ["http", "https", "mailto", "tel", "geo"]

  /// Text for a script, which inserts it as text: nothing is invisible or reverses the writing direction.
  static func harmless(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(DisplayText.isHarmless(scalar) ? scalar : "\u{FFFD}") }
    return String(shown)
  }

  private static func escaped(_ text: String, keeps: (Unicode.Scalar) -> Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(keeps(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return escaped
  }
}
