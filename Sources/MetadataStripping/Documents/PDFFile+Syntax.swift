// The tokens of PDF: spaces, names, numbers, references and texts.
extension PDFFile {
  func hasDictionary(_ index: Int) -> Bool { bytes.has("<<", at: skipSpace(index)) }

  func skipSpace(_ index: Int) -> Int {
    var at = index
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
    return at
  }

  func skipLineEnd(_ index: Int) -> Int {
    var at = index
    if at < bytes.count, bytes[at] == 0x0D { at += 1 }
    if at < bytes.count, bytes[at] == 0x0A { at += 1 }
    return at
  }

  static func isSpace(_ byte: UInt8) -> Bool { [0, 9, 10, 12, 13, 32].contains(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isDelimiter(_ byte: UInt8) -> Bool { Array("/<>[]()%{}".utf8).contains(byte) }

  /// The index after a text in parentheses, which may contain others.
  func end(ofText start: Int) -> Int? {
    var depth = 0
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\"): at += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      at += 1
      if depth == 0 { return at }
    }
    return nil
  }

  /// The object that a reference after an index names: `12 0 R`.
  func reference(_ index: Int) -> Int? {
    var at = skipSpace(index)
    guard let object = number(&at), number(&at) != nil, at < bytes.count, bytes[at] == UInt8(ascii: "R") else {
      return nil
    }
    return object
  }

  /// The number after an index.
  func number(_ index: Int) -> Int? {
    var at = skipSpace(index)
    return number(&at)
  }

  /// Reads a number and the space after it.
  private func number(_ at: inout Int) -> Int? {
    var value: Int?
    while at < bytes.count, Self.isDigit(bytes[at]), value ?? 0 < 1_000_000_000 {
      value = (value ?? 0) * 10 + Int(bytes[at] - 0x30)
      at += 1
    }
    at = skipSpace(at)
    return value
  }

  /// The positions of a whole name.
  func positions(of name: String) -> [Int] {
    var positions: [Int] = []
    var at = 0
    while let found = first(name, in: at..<bytes.count) {
      at = found + name.utf8.count
      // `/Information` is another name.
      let next = at < bytes.count ? bytes[at] : 0x20
      if Self.isSpace(next) || Self.isDelimiter(next) { positions.append(found) }
    }
    return positions
  }

  /// The first position of a text in a range.
  func first(_ text: String, in range: Range<Int>) -> Int? {
    let pattern = Array(text.utf8)
    guard range.count >= pattern.count, let start = pattern.first else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var at = range.lowerBound
      let last = range.upperBound - pattern.count
      while at <= last {
        if bytes[at] == start, (1..<pattern.count).allSatisfy({ bytes[at + $0] == pattern[$0] }) { return at }
        at += 1
      }
      return nil
    }
  }

  /// Whether a name that matters here is written with escapes, such as `/#49nfo`.
  var hasEscapedNames: Bool {
    let names = ["Info", "Metadata", "XML", "Encrypt", "ObjStm", "XRefStm"].map { Array($0.utf8) }
    var at = 0
    while let found = first("#", in: at..<bytes.count) {
      at = found + 1
      // The name begins a few characters before its first escape.
      var start = found
      while start > 0, found - start < 32, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
      guard start > 0, bytes[start - 1] == UInt8(ascii: "/") else { continue }
      var name: [UInt8] = []
      var index = start
      while index < bytes.count, name.count < 16, !Self.isSpace(bytes[index]), !Self.isDelimiter(bytes[index]) {
        if bytes[index] == UInt8(ascii: "#"),
          let escaped = UInt8(String(decoding: bytes[(index + 1)...].prefix(2), as: UTF8.self), radix: 16)
        {
          name.append(escaped)
          index += 3
        } else {
          name.append(bytes[index])
          index += 1
        }
      }
      if names.contains(name) { return true }
    }
    return false
  }
}
