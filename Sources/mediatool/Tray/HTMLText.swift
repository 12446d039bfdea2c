/// Text of strangers made fit for a page.
enum HTMLText {
  /// The text for content and for attributes in double quotes: nothing in it is markup, and nothing turns the writing direction or is invisible.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in harmless(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text for a script, which sets it as text: nothing turns the writing direction or is invisible.
  static func harmless(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(DisplayText.isHarmless(scalar) ? scalar : "\u{FFFD}") }
    return String(shown)
  }
}
