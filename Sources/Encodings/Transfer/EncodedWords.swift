/// Decoding of encoded words in mail headers: `=?charset?B?text?=` and `=?charset?Q?text?=` (RFC 2047).
public enum EncodedWords {
  /// The text with its encoded words decoded. A word with an unknown charset or encoding stays unchanged.
  public static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "=")), text.contains("=?") else { return text }
    var result = ""
    var rest = text[...]
    var isBehindWord = false
    while let start = rest.firstRange(of: "=?") {
      let before = rest[..<start.lowerBound]
      guard let (word, end) = word(rest[start.upperBound...]) else {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
        isBehindWord = false
        continue
      }
      // White space between two encoded words is dropped (RFC 2047 §6.2).
      if !isBehindWord || !before.allSatisfy(\.isWhitespace) { result += before }
      result += word
      rest = rest[end...]
      isBehindWord = true
    }
    return result + rest
  }

  /// Parses `charset?B?text?=`, and returns its end. A word has at most 75 characters (RFC 2047 §2), so that the search is linear.
  private static func word(_ text: Substring) -> (word: String, end: Substring.Index)? {
    // By scalars: a subject of a megabyte may begin half a million words.
    let window = Substring(text.unicodeScalars.prefix(300))
    let pieces = window.split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
    guard pieces.count == 4, pieces[3].first == "=", let charset = Charset(name: String(pieces[0].prefix { $0 != "*" }))
    else { return nil }
    let octets = ArraySlice(Array(pieces[2].utf8))
    let decoded: [UInt8]
    switch pieces[1] {
    case "B", "b": decoded = TransferEncoding.base64(octets)
    case "Q", "q":
      decoded = TransferEncoding.quotedPrintable(ArraySlice(octets.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }))
    default: return nil
    }
    return (charset.text(decoded[...]), text.index(after: pieces[3].startIndex))
  }
}
