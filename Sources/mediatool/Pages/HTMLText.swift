/// Text of strangers made fit for a page.
enum HTMLText {
  /// The text for content and for attributes in double quotes: nothing in it is markup, and nothing turns the writing direction or is invisible.
  static func escaped(_ text: String) -> String { escaped(text, keeps: DisplayText.isHarmless) }

  /// A message's text for content: its lines, its emoji and its own writing directions stay. Only what turns letters round against their
  /// script is shown as unknown, for it can make an address read as another.
  static func prose(_ text: String) -> String {
    escaped(text.replacing("\r\n", with: "\n")) { scalar in
      switch scalar {
      case "\n", "\t": true
      case "\u{202D}", "\u{202E}": false
      default: scalar.properties.generalCategory != .control
      }
    }
  }

  /// The address of a link, for an attribute; nil for one that does anything but open a page, dial, write or show a place.
  static func address(_ text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), schemes.contains(text[..<colon].lowercased()) else { return nil }
    // Browsers leave some characters out before they read an address.
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && DisplayText.isHarmless($0) }) else { return nil }
    return escaped(text)
  }

  private static let schemes: Set<String> = ["http", "https", "mailto", "tel", "geo"]

  /// The text for a script, which sets it as text: nothing turns the writing direction or is invisible.
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
