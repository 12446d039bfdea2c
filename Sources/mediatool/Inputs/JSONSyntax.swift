/// The grammar of JSON (RFC 8259). Foundation's decoder does not check the numbers, escapes and commas in values that nobody asks it for, such as an id, which
/// would make the line of its result unreadable.
enum JSONSyntax {
  /// Whether a text is one value in UTF-8. Works without recursion, so no nesting is too deep.
  static func isValue(_ text: ArraySlice<UInt8>) -> Bool {
    guard String(validating: text, as: UTF8.self) != nil else { return false }
    var scanner = Scanner(rest: text)
    // The braces and brackets that are open.
    var open: [UInt8] = []
    while true {
      if scanner.take("[") {
        if !scanner.take("]") {
          open.append(UInt8(ascii: "["))
          continue
        }
      } else if scanner.take("{") {
        if !scanner.take("}") {
          open.append(UInt8(ascii: "{"))
          guard scanner.key() else { return false }
          continue
        }
      } else if !scanner.scalar() {
        return false
      }
      // After a value.
      while true {
        guard let innermost = open.last else { return scanner.isAtEnd }
        if scanner.take(",") {
          guard innermost == UInt8(ascii: "[") || scanner.key() else { return false }
          break
        }
        guard scanner.take(innermost == UInt8(ascii: "[") ? "]" : "}") else { return false }
        open.removeLast()
      }
    }
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return rest.isEmpty
      }
    }

    private mutating func skipSpace() { rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    /// Takes a character after white space.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      return takeNext { $0 == UInt8(ascii: character) }
    }

    private mutating func takeNext(where isWanted: (UInt8) -> Bool) -> Bool {
      guard let byte = rest.first, isWanted(byte) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// A string and the colon after it.
    mutating func key() -> Bool { string() && take(":") }

    mutating func scalar() -> Bool {
      skipSpace()
      for literal in ["null", "true", "false"] where rest.starts(with: literal.utf8) {
        rest = rest.dropFirst(literal.utf8.count)
        return true
      }
      return rest.first == UInt8(ascii: "\"") ? string() : number()
    }

    private mutating func string() -> Bool {
      guard take("\"") else { return false }
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\""): return true
        case 0..<0x20: return false
        case UInt8(ascii: "\\"): guard escape() else { return false }
        default: continue
        }
      }
      return false
    }

    private mutating func escape() -> Bool {
      guard takeNext(where: { $0 == UInt8(ascii: "u") }) else {
        return takeNext { "\"\\/bfnrt".utf8.contains($0) }
      }
      for _ in 0..<4 {
        guard
          takeNext(where: {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
          })
        else { return false }
      }
      return true
    }

    private mutating func number() -> Bool {
      _ = takeNext { $0 == UInt8(ascii: "-") }
      if !takeNext(where: { $0 == UInt8(ascii: "0") }) { guard digits() else { return false } }
      if takeNext(where: { $0 == UInt8(ascii: ".") }) { guard digits() else { return false } }
      guard takeNext(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
      _ = takeNext { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      return digits()
    }

    /// One digit or more.
    private mutating func digits() -> Bool {
      let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest[found.endIndex...]
      return !found.isEmpty
    }
  }
}
