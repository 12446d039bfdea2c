/// A pull parser for the tags and texts of an XML document, without a tree, recursion, entity expansion or external
/// access.
///
/// Every loop is bounded by the number of bytes. Foundation's XMLParser is not used for untrusted files: libxml2
/// supports external entities and entity expansion. Finding the root tag of an SVG or a few XMP properties also needs
/// neither the whole document nor its last line to be valid. Whether tags match and what names consist of is not
/// checked; a reader that needs a well-formed document checks both.
package struct XMLScanner {
  package enum Token {
    /// A start tag; its attributes are in ``XMLScanner/attributes``.
    case start(name: Range<Int>, isEmpty: Bool)
    /// An end tag.
    case end(name: Range<Int>)
    /// Text between tags, or a CDATA section (``XMLScanner/isLiteral(_:)``).
    case text(Range<Int>)
    /// A comment, processing instruction or declaration, from its `<` to its `>`. None is interpreted.
    case other(Range<Int>)
  }

  /// Maximum attributes, more than any editor writes; the rest of a tag is skipped.
  package static let attributeLimit = 1_024

  /// The document.
  package let bytes: [UInt8]
  /// The attributes of the last start tag, in their order.
  package private(set) var attributes: [(name: Range<Int>, value: Range<Int>)] = []
  /// Whether ``next()`` has reached the last byte and found only XML.
  package private(set) var isAtEnd = false
  private var at = 0

  /// A scanner at the first byte of a document in a superset of ASCII.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next token; nil at the end (``isAtEnd``) and at the first byte that is not XML.
  package mutating func next() -> Token? {
    guard at < bytes.count, bytes[at] != 0 else {
      isAtEnd = at == bytes.count
      return nil
    }
    let start = at
    guard bytes[at] == UInt8(ascii: "<") else {
      while at < bytes.count, bytes[at] != UInt8(ascii: "<"), bytes[at] != 0 { at += 1 }
      return .text(start..<at)
    }
    guard at + 1 < bytes.count else { return nil }
    switch bytes[at + 1] {
    case UInt8(ascii: "?"): return skip(past: "?>") ? .other(start..<at) : nil
    case UInt8(ascii: "!"):
      if matches("<!--") {
        at += 4
        return skip(past: "-->") ? .other(start..<at) : nil
      }
      if matches("<![CDATA[") {
        at += 9
        return skip(past: "]]>") ? .text(start + 9..<at - 3) : nil
      }
      return skipDeclaration() ? .other(start..<at) : nil
    case UInt8(ascii: "/"):
      at += 2
      let name = readName()
      return skip(past: ">") ? .end(name: name) : nil
    default: return startTag()
    }
  }

  private mutating func startTag() -> Token? {
    attributes.removeAll(keepingCapacity: true)
    at += 1
    let name = readName()
    guard !name.isEmpty else { return nil }
    while true {
      skipSpace()
      guard at < bytes.count else { return nil }
      if bytes[at] == UInt8(ascii: ">") {
        at += 1
        return .start(name: name, isEmpty: false)
      }
      if bytes[at] == UInt8(ascii: "/") {
        guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: ">") else { return nil }
        at += 2
        return .start(name: name, isEmpty: true)
      }
      let attribute = readName()
      skipSpace()
      guard !attribute.isEmpty, at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
      at += 1
      skipSpace()
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else { return nil }
      let quote = bytes[at]
      let start = at + 1
      at = start
      while at < bytes.count, bytes[at] != quote { at += 1 }
      guard at < bytes.count else { return nil }
      if attributes.count < Self.attributeLimit { attributes.append((attribute, start..<at)) }
      at += 1
    }
  }

  /// Skips `<!DOCTYPE …>` with its internal subset: matches brackets and quotes, and interprets nothing.
  private mutating func skipDeclaration() -> Bool {
    var brackets = 0
    var quote: UInt8?
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">") where brackets <= 0: return true
      case UInt8(ascii: "<") where matches("!--"):
        guard skip(past: "-->") else { return false }
      default: break
      }
    }
    return false
  }

  private mutating func readName() -> Range<Int> {
    let start = at
    scan: while at < bytes.count {
      switch bytes[at] {
      case 0...0x20, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        break scan
      default: at += 1
      }
    }
    return start..<at
  }

  private mutating func skipSpace() {
    while at < bytes.count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
  }

  private func matches(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= bytes.count else { return false }
    for index in 0..<count where bytes[at + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func skip(past text: StaticString) -> Bool {
    while at < bytes.count {
      if bytes[at] == text.utf8Start[0], matches(text) {
        at += text.utf8CodeUnitCount
        return true
      }
      at += 1
    }
    return false
  }
}
