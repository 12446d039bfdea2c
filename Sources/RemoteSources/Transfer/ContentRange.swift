/// The header `Content-Range` (RFC 9110, section 14.4).
struct ContentRange: Hashable, Sendable {
  /// The bytes of the body; nil for a range that the file does not have.
  let range: Range<Int>?
  /// Size of the whole file; nil if the server does not know it.
  let total: Int?

  /// Parses `bytes 0-499/1234` and `bytes */1234`; nil for other forms and impossible numbers.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    total = Self.number(parts[1])
    guard total != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" {
      range = nil
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      last < total ?? .max
    else { return nil }
    range = first..<last + 1
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...18).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }
}
