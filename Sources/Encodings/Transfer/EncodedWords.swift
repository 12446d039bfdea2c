/// Decoding of encoded words in mail headers: `=?charset?B?text?=` and `=?charset?Q?text?=` (RFC 2047).
public enum EncodedWords {
  /// The text with its encoded words decoded. A word with an unknown charset or encoding stays unchanged.
  public static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
    return decoded(Array(text.utf8)[...])
  }

  /// The text of octets with their encoded words decoded. Other octets are UTF-8 if valid, otherwise ISO-8859-1.
  ///
  /// Neighbouring words with the same charset are decoded together, because senders split them inside a character.
  /// A word may be longer than the 75 characters of RFC 2047. The time is linear.
  public static func decoded(_ octets: ArraySlice<UInt8>) -> String {
    var result = ""
    // Decoded words of one charset, still octets.
    var run: (charset: Charset, octets: [UInt8])?
    func endRun() {
      if let word = run { result += word.charset.text(word.octets[...]) }
      run = nil
    }
    // The octets before it are in the result.
    var copied = octets.startIndex
    var offset = octets.startIndex
    while offset < octets.endIndex - 1 {
      guard octets[offset] == UInt8(ascii: "="), octets[offset + 1] == UInt8(ascii: "?"),
        let word = word(octets[(offset + 2)...])
      else {
        offset += 1
        continue
      }
      let before = octets[copied..<offset]
      // White space between two encoded words is dropped (RFC 2047 §6.2).
      let isNeighbour = run != nil && before.allSatisfy { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
      if !isNeighbour || run?.charset != word.charset { endRun() }
      if !isNeighbour { result += Charset.undeclaredText(before) }
      if run == nil { run = (word.charset, word.octets) } else { run?.octets += word.octets }
      offset = word.end
      copied = offset
    }
    endRun()
    return result + Charset.undeclaredText(octets[copied...])
  }

  /// Parses `charset?B?text?=`. No piece contains a question mark, so that searches do not overlap and the time is linear.
  private static func word(_ text: ArraySlice<UInt8>) -> (charset: Charset, octets: [UInt8], end: Int)? {
    let question = UInt8(ascii: "?")
    guard let first = text.firstIndex(of: question), first + 2 < text.endIndex, text[first + 2] == question,
      let last = text[(first + 3)...].firstIndex(of: question), last + 1 < text.endIndex,
      text[last + 1] == UInt8(ascii: "="), first - text.startIndex <= 80
    else { return nil }
    // A language may follow the charset (RFC 2231 §5).
    let name = text[..<first].prefix { $0 != UInt8(ascii: "*") }
    guard let charset = Charset(name: String(decoding: name, as: UTF8.self)) else { return nil }
    let encoded = text[(first + 3)..<last]
    switch text[first + 1] | 0x20 {
    case UInt8(ascii: "b"): return (charset, TransferEncoding.base64(encoded), last + 2)
    case UInt8(ascii: "q"):
      let spaced = encoded.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
      return (charset, TransferEncoding.quotedPrintable(spaced[...]), last + 2)
    default: return nil
    }
  }
}
