/// PDF (ISO 32000-1): the information dictionary, its texts and XMP streams become empty, and metadata segments of JPEG images become zeros. The
/// length and every offset stay.
///
/// Names of authors in annotations, attached files and the text itself are content and stay.
struct PDFFile {
  private var bytes: [UInt8]

  /// Nil for an encrypted file, where the information dictionary or one of its revisions may be inside a compressed object stream, and where
  /// it or its XMP cannot be found for certain.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    var pdf = PDFFile(bytes: file)
    guard pdf.strip() else { return nil }
    return pdf.bytes
  }

  private mutating func strip() -> Bool {
    let head = bytes.prefix(1_024)
    guard head.firstRange(of: Array("%PDF-".utf8)) != nil, positions(of: "/Encrypt").isEmpty, !hasEscapedNames else {
      return false
    }
    var information: Set<Int> = []
    var numbers: Set<Int> = []
    for name in ["/Info", "/Metadata"] {
      for position in positions(of: name) {
        let after = position + name.utf8.count
        if let number = reference(after) {
          numbers.insert(number)
          if name == "/Info" { information.insert(number) }
        } else if name == "/Info" && hasDictionary(after) || bytes.has("%", at: skipSpace(after)) {
          return false
        }
      }
    }
    guard let objects = objects(), information.isEmpty || !hasHiddenRevisions,
      let texts = texts(of: information, in: objects)
    else { return false }
    // In an object stream it is compressed together with others.
    guard numbers.isSubset(of: objects.map(\.number)) else { return false }
    for object in objects {
      if numbers.contains(object.number) || isMetadata(object.body) {
        write("<<>>", over: object.body)
      } else if texts.contains(object.number) {
        write("()", over: object.body)
      }
    }
    for object in objects { stripImage(object.body) }
    return first("<x:xmpmeta", in: 0..<bytes.count) == nil && first("<?xpacket", in: 0..<bytes.count) == nil
  }

  /// Whether a name that matters here is written with escapes, such as `/#49nfo`.
  private var hasEscapedNames: Bool {
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

  /// Whether an object of the plain structure may have another revision in an object stream. Which one is the last is in compressed tables.
  private var hasHiddenRevisions: Bool {
    guard !positions(of: "/ObjStm").isEmpty else { return false }
    let revisions = positions(of: "startxref").count
    // The first page of a linearized file has a table of its own; the file states its length when it was written.
    if revisions == 2, let linearized = positions(of: "/Linearized").first, linearized < 1_024,
      let end = first(">>", in: linearized..<bytes.count),
      let length = positions(of: "/L").first(where: { linearized..<end ~= $0 }), number(length + 2) == bytes.count
    {
      return !positions(of: "/XRefStm").isEmpty
    }
    return revisions > 1 || !positions(of: "/XRefStm").isEmpty
  }

  /// The objects that are texts of an information dictionary; nil where it refers to anything else, or to what is compressed.
  private func texts(of information: Set<Int>, in objects: [(number: Int, body: Range<Int>)]) -> Set<Int>? {
    var texts: Set<Int> = []
    for object in objects where information.contains(object.number) {
      guard let found = references(in: object.body) else { return nil }
      texts.formUnion(found)
    }
    guard !texts.isEmpty else { return texts }
    for object in objects where texts.contains(object.number) {
      let start = skipSpace(object.body.lowerBound)
      guard bytes.has("(", at: start) || bytes.has("<", at: start) && !bytes.has("<<", at: start) else { return nil }
    }
    return texts.isSubset(of: objects.map(\.number)) ? texts : nil
  }

  /// The objects that a dictionary refers to; nil where a text does not end.
  private func references(in body: Range<Int>) -> Set<Int>? {
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

  /// Whether an object is a stream of XMP, whoever refers to it.
  private func isMetadata(_ body: Range<Int>) -> Bool {
    guard let stream = first("stream", in: body) else { return false }
    let dictionary = body.lowerBound..<stream
    for name in ["/Type", "/Subtype"] {
      var at = dictionary.lowerBound
      while let found = first(name, in: at..<dictionary.upperBound) {
        at = found + name.utf8.count
        let value = skipSpace(at)
        if bytes.has("/Metadata", at: value) || bytes.has("/XML", at: value) { return true }
      }
    }
    return false
  }

  /// Writes an empty value over an object.
  private mutating func write(_ value: String, over body: Range<Int>) {
    for index in body where !Self.isSpace(bytes[index]) { bytes[index] = 0x20 }
    let start = skipLineEnd(body.lowerBound)
    guard start + value.utf8.count <= body.upperBound else { return }
    for (offset, byte) in value.utf8.enumerated() { bytes[start + offset] = byte }
  }

  /// Overwrites EXIF, XMP, IPTC and comments of a JPEG that is the content of a stream.
  private mutating func stripImage(_ body: Range<Int>) {
    guard let stream = first("stream", in: body) else { return }
    var at = skipLineEnd(stream + 6)
    guard at + 4 <= body.upperBound, bytes[at] == 0xFF, bytes[at + 1] == 0xD8 else { return }
    at += 2
    while at + 4 <= body.upperBound, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      // Any number of these may come before a marker.
      if marker == 0xFF {
        at += 1
        continue
      }
      let end = at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
      guard marker != 0xDA, marker >= 0xC0, end >= at + 4, end <= body.upperBound else { return }
      // APP1, APP3 to APP13 and APP15, and comments. The others define colours.
      if marker == 0xFE || marker == 0xE1 || (0xE3...0xED).contains(marker) || marker == 0xEF {
        for index in (at + 4)..<end { bytes[index] = 0 }
      }
      at = end
    }
  }

  /// The objects of the file, of all its revisions: number, and what is between `obj` and `endobj`. Nil where a text does not end.
  private func objects() -> [(number: Int, body: Range<Int>)]? {
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

  /// Where an object ends: texts, comments and streams may have the word that ends it inside.
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

  /// The index after a text in parentheses, which may have others inside.
  private func end(ofText start: Int) -> Int? {
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

  /// The object that a reference after an index names: `12 0 R`.
  private func reference(_ index: Int) -> Int? {
    var at = skipSpace(index)
    guard let object = number(&at), number(&at) != nil, at < bytes.count, bytes[at] == UInt8(ascii: "R") else {
      return nil
    }
    return object
  }

  private func number(_ index: Int) -> Int? {
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

  private func hasDictionary(_ index: Int) -> Bool { bytes.has("<<", at: skipSpace(index)) }

  private func skipSpace(_ index: Int) -> Int {
    var at = index
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
    return at
  }

  private func skipLineEnd(_ index: Int) -> Int {
    var at = index
    if at < bytes.count, bytes[at] == 0x0D { at += 1 }
    if at < bytes.count, bytes[at] == 0x0A { at += 1 }
    return at
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0, 9, 10, 12, 13, 32].contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isDelimiter(_ byte: UInt8) -> Bool { Array("/<>[]()%{}".utf8).contains(byte) }

  private func positions(of name: String) -> [Int] {
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

  private func first(_ text: String, in range: Range<Int>) -> Int? {
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
}
