/// An e-mail (RFC 5322): header fields from the first line up to an empty line, with enough common ones among them.
enum MailSignature {
  static func matches(_ bytes: [UInt8]) -> Bool {
    var known = 0
    var lines = 0
    var rest = bytes[...]
    while !rest.isEmpty, lines < 256 {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest.dropFirst(line.count + 1)
      let text = line.last == 0x0D ? line.dropLast() : line
      if text.isEmpty { break }
      lines += 1
      // A folded line continues the previous field; the first line cannot be one.
      if let first = text.first, first == 0x20 || first == 0x09 {
        if lines == 1 { return false }
        continue
      }
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
        text[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { return false }
      let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
      if names.contains(name) { known += 1 } else if lines == 1, !name.hasPrefix("x-") { return false }
    }
    return known >= 3
  }

  /// Fields that are common in e-mail and rare in other texts with colons.
  private static let names: Set<String> = [
    "received", "return-path", "delivered-to", "message-id", "from", "to", "cc", "subject", "date", "mime-version",
    "content-type", "reply-to", "sender", "dkim-signature", "arc-seal", "authentication-results", "in-reply-to",
    "content-transfer-encoding",
  ]
}
