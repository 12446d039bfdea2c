/// The classes of a UTF-8 byte in link detection.
///
/// Every byte of a non-ASCII character ends what can only be ASCII. A link may follow such a character (A29), because
/// Chinese and Japanese have no spaces between words. It may not follow a letter of an alphabet that has: `bücher.de`
/// would become a link to somebody else's `cher.de`.
struct ByteClasses: OptionSet {
  let rawValue: UInt16

  /// A link may follow: white space, `,` `:` `;` `(` `>` and all non-ASCII bytes. Also `<` `"` `'`, because in the
  /// escaped text of the original rules they end in a semicolon.
  static let before = ByteClasses(rawValue: 1)
  /// May begin a phone number.
  static let phoneStart = ByteClasses(rawValue: 1 << 1)
  /// May separate the digits of a phone number.
  static let separator = ByteClasses(rawValue: 1 << 2)
  /// A letter, a digit or `_`.
  static let word = ByteClasses(rawValue: 1 << 3)
  /// In a label of a host name: word or `-`.
  static let label = ByteClasses(rawValue: 1 << 4)
  /// In the local part of an e-mail address: word or `.` `+` `-` `%`.
  static let local = ByteClasses(rawValue: 1 << 5)
  /// Ends a URL: white space, and `<` `>` `"`, which RFC 3986 excludes from URLs.
  static let endsURL = ByteClasses(rawValue: 1 << 6)
  /// After the first label of a host name or after a scheme: `.` `:`.
  static let behindHost = ByteClasses(rawValue: 1 << 8)
  /// Continues the local part of an address after a label, or ends it: `.` `+` `%` `@`.
  static let behindLocal = ByteClasses(rawValue: 1 << 9)
  /// Ends a sentence and is then not part of a URL: `.` `,` `?` `:` `;` `!`.
  static let endsSentence = ByteClasses(rawValue: 1 << 7)

  /// The classes of each byte.
  static let table: [UInt16] = (0...255).map { classes(of: UInt8($0)).rawValue }

  private static func classes(of byte: UInt8) -> ByteClasses {
    guard byte < 0x80 else { return .before }
    let character = Character(Unicode.Scalar(byte))
    var classes: ByteClasses = []
    func add(_ added: ByteClasses, _ characters: String) {
      if characters.contains(character) { classes.insert(added) }
    }
    let space = "\t\n\u{B}\u{C}\r "
    add(.before, space + ",:;(><\"'")
    add(.phoneStart, "0123456789+(")
    add(.separator, " \t.()-")
    add(.endsURL, space + "<>\"")
    add(.endsSentence, ".,?:;!")
    add(.behindHost, ".:")
    add(.behindLocal, ".+%@")
    add(.label, "-")
    add(.local, ".+-%")
    if character.isLetter || character.isNumber || character == "_" { classes.formUnion([.word, .label, .local]) }
    return classes
  }
}
