extension String {
  /// The text with U+FFFD in place of each U+0000, at which a text in the database ends. Everything that others have written is stored this way.
  var withoutNUL: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}
