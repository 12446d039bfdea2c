/// Reads a value and its parameters from left to right. Nothing is an error: what senders write is read as they meant it where that is clear.
struct ParameterScanner {
  private let octets: [UInt8]
  private var offset = 0
  /// Whether the last value was in quotes.
  private(set) var isQuoted = false

  init(_ octets: [UInt8]) { self.octets = octets }

  private var current: UInt8 { offset < octets.count ? octets[offset] : 0 }
  private var isAtEnd: Bool { offset >= octets.count }

  /// The characters that end a token, except for the slash of a type (RFC 2045 §5.1).
  private static let special = Set("()<>@,;:\\\"[]?=".utf8)

  /// The value before the parameters, in lower case and without comments.
  mutating func value() -> String {
    skipSpace()
    // `Content-Type: "text/html"` is sent too.
    if current == ASCII.quote { return String(decoding: quoted().map(ASCII.lower), as: UTF8.self) }
    let start = offset
    while !isAtEnd, !ASCII.isSpace(current), !Self.special.contains(current) { offset += 1 }
    return String(decoding: octets[start..<offset].map(ASCII.lower), as: UTF8.self)
  }

  /// The next parameter; nil at the end.
  mutating func parameter() -> (name: String, value: [UInt8])? {
    while !isAtEnd {
      skipSpace()
      if current == 0x3B {
        offset += 1
        continue
      }
      let start = offset
      while !isAtEnd, current != 0x3D, current != 0x3B, !ASCII.isSpace(current) { offset += 1 }
      let name = octets[start..<offset]
      skipSpace()
      guard current == 0x3D, !isAtEnd else {
        // A word without a value is skipped; a word that is empty would not advance.
        if offset == start { offset += 1 }
        continue
      }
      offset += 1
      skipSpace()
      isQuoted = current == ASCII.quote
      let value = isQuoted ? quoted() : token()
      if !name.isEmpty { return (String(decoding: name.map(ASCII.lower), as: UTF8.self), value) }
    }
    return nil
  }

  /// White space and comments, which nest (RFC 5322 §3.2.2). A comment without end is a character.
  private mutating func skipSpace() {
    while !isAtEnd {
      if ASCII.isSpace(current) {
        offset += 1
      } else if current == 0x28, !commentsAreOver {
        skipComment()
      } else {
        return
      }
    }
  }

  /// No comment ends after here, so that many beginnings cost one search.
  private var commentsAreOver = false

  private mutating func skipComment() {
    let start = offset
    var depth = 0
    while !isAtEnd {
      switch current {
      case 0x28: depth += 1
      case 0x29: depth -= 1
      case ASCII.backslash: offset += 1
      default: break
      }
      offset += 1
      if depth == 0 { return }
    }
    commentsAreOver = true
    offset = start
  }

  /// A quoted string without its quotes. Without a closing quote it is the rest.
  private mutating func quoted() -> [UInt8] {
    offset += 1
    var result: [UInt8] = []
    while !isAtEnd, current != ASCII.quote {
      // Only quotes and backslashes are escaped: `"C:\new.txt"` is a path.
      if current == ASCII.backslash, offset + 1 < octets.count,
        octets[offset + 1] == ASCII.quote || octets[offset + 1] == ASCII.backslash
      {
        offset += 1
      }
      result.append(current)
      offset += 1
    }
    offset += 1
    return result
  }

  /// A value without quotes. It may contain spaces, as file names do, but ends where the next `name=` begins.
  private mutating func token() -> [UInt8] {
    let start = offset
    var end = offset
    while !isAtEnd, current != 0x3B {
      if ASCII.isSpace(current) {
        offset += 1
        if isParameterNext { break }
      } else {
        offset += 1
        end = offset
      }
    }
    return Array(octets[start..<end])
  }

  private var isParameterNext: Bool {
    var next = offset
    while next < octets.count,
      octets[next] == ASCII.dash || octets[next] == 0x2A || ASCII.isLetter(octets[next]) || ASCII.isDigit(octets[next])
    {
      next += 1
    }
    return next > offset && next < octets.count && octets[next] == 0x3D
  }
}
