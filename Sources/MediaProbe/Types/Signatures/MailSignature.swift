internal import MediaModel

/// An e-mail (RFC 5322): header fields from the first line up to an empty line, with enough common ones among them. An mbox (RFC 4155) begins with
/// a line `From ` with a time, before the first e-mail.
enum MailSignature {
  /// Nil if it is neither.
  static func type(of bytes: [UInt8]) -> MediaType? {
    var rest = bytes[...]
    let isMbox = isSeparator(rest.prefix { $0 != 0x0A })
    if isMbox { removeLine(&rest) }
    // Gmail saves originals with lines of spaces in front, which readers skip.
    var skipped = 0
    while skipped < 16, let first = rest.first, isBlank(first) {
      removeLine(&rest)
      skipped += 1
    }
    guard let first = rest.first, !isBlank(first), let points = score(ofHeader: rest, isFirstKnown: !isMbox) else {
      return nil
    }
    return points >= (isMbox ? 2 : 3) ? (isMbox ? .mbox : .mail) : nil
  }

  /// A number for the common fields of a header; nil if it has other lines.
  private static func score(ofHeader bytes: ArraySlice<UInt8>, isFirstKnown: Bool) -> Int? {
    var rest = bytes
    var score = 0
    var lines = 0
    while !rest.isEmpty, lines < 256 {
      let text = removeLine(&rest)
      guard let first = text.first else { break }
      lines += 1
      // A folded line continues the previous field.
      if isBlank(first) { continue }
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
        text[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { return nil }
      let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
      if names.contains(name) {
        score += 1
      } else if ownNames.contains(name) {
        score += 2
      } else if lines == 1, isFirstKnown, !name.hasPrefix("x-") {
        return nil
      }
    }
    return score
  }

  /// Removes a line, and returns it without its end.
  @discardableResult
  private static func removeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return line.last == 0x0D ? line.dropLast() : line
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a line begins an e-mail of an mbox: `From `, a sender without spaces, and a date with a time such as `09:30`.
  private static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: Array("From ".utf8)), line.count <= 1_000 else { return false }
    return line.indices.dropFirst(6).dropLast(3).contains { index in
      line[index] == UInt8(ascii: ":") && isDigit(line[index - 1]) && isDigit(line[index + 1])
        && isDigit(line[index + 2])
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Fields that are common in e-mail and rare in other texts with colons.
  private static let names: Set<String> = [
    "received", "from", "to", "cc", "subject", "date", "content-type", "reply-to", "sender",
    "content-transfer-encoding",
  ]

  /// Fields that hardly any other text has, so that one of them and another field are enough.
  private static let ownNames: Set<String> = [
    "return-path", "delivered-to", "message-id", "mime-version", "dkim-signature", "arc-seal", "authentication-results",
    "in-reply-to",
  ]
}
