// Objects are found by the words `obj` and `endobj` instead of by the tables: earlier revisions are in the file, but in
// no table.
extension PDFFile {
  /// The objects of all revisions of the file: the number, and what is between `obj` and `endobj`. Nil if a text does
  /// not end.
  func objects() -> [(number: Int, body: Range<Int>)]? {
    var objects: [(number: Int, body: Range<Int>)] = []
    var at = 0
    while let found = first("obj", in: at..<bytes.count) {
      at = found + 3
      guard let number = numberBefore(found) else { continue }
      guard let end = end(ofObject: at) else { return nil }
      objects.append((number, at..<end))
      at = end
    }
    return objects
  }

  /// The index at which an object ends. Texts, comments and streams may contain `endobj`.
  private func end(ofObject start: Int) -> Int? {
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "("):
        guard let end = end(ofText: at) else { return nil }
        at = end
      case UInt8(ascii: "%"):
        while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
      case UInt8(ascii: "s") where bytes.has("stream", at: at) && skipLineEnd(at + 6) > at + 6:
        guard let end = first("endstream", in: at + 6..<bytes.count) else { return bytes.count }
        at = end + 9
      case UInt8(ascii: "e") where bytes.has("endobj", at: at): return at
      default: at += 1
      }
    }
    return at
  }

  /// The number of the object whose `obj` is at an index: `12 0 obj`.
  private func numberBefore(_ index: Int) -> Int? {
    var at = index
    guard skipBack(&at, while: Self.isSpace), skipBack(&at, while: Self.isDigit), skipBack(&at, while: Self.isSpace)
    else {
      return nil
    }
    let end = at
    guard skipBack(&at, while: Self.isDigit), end - at <= 10 else { return nil }
    return bytes[at..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private func skipBack(_ at: inout Int, while matches: (UInt8) -> Bool) -> Bool {
    let start = at
    while at > 0, start - at < 64, matches(bytes[at - 1]) { at -= 1 }
    return at < start
  }

  /// The objects that a dictionary refers to; nil if a text does not end.
  func references(in body: Range<Int>) -> Set<Int>? {
    var references: Set<Int> = []
    var at = body.lowerBound
    while at < body.upperBound {
      if bytes[at] == UInt8(ascii: "(") {
        guard let end = end(ofText: at) else { return nil }
        at = end
      } else if Self.isDigit(bytes[at]) {
        if let number = reference(at) { references.insert(number) }
        while at < body.upperBound, Self.isDigit(bytes[at]) { at += 1 }
      } else if bytes[at] == UInt8(ascii: "%") {
        // A comment may be between the numbers of a reference.
        return nil
      } else {
        at += 1
      }
    }
    return references
  }
}
