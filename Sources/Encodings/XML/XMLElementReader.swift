/// Reads the elements of an XML document that must be well-formed to its last byte (XML 1.0, with namespaces).
///
/// Nothing is fetched or expanded: a document with a processing instruction, an internal subset of its document type,
/// or a reference to an entity other than XML's five is refused. Every loop is bounded by the number of bytes, and no
/// call recurses.
package struct XMLElementReader {
  package enum Event {
    /// The start of an element, with its attributes in their order except namespace declarations. Names have their
    /// prefixes; in values, references are replaced and line ends are spaces.
    case start(name: String, attributes: [(name: String, value: String)])
    /// The end of an element, also of one without content (`<a/>`).
    case end
  }

  /// Maximum namespace declarations in scope; each prefix is looked up among them.
  package static let namespaceLimit = 128

  /// Whether ``next()`` has returned nil because the document has ended, and is well-formed.
  package private(set) var isComplete = false

  private var scanner: XMLScanner
  /// The names of the open elements, from the root.
  private var open: [Range<Int>] = []
  /// The declared prefixes in scope, each with the depth of its element.
  private var prefixes: [(prefix: Range<Int>, depth: Int)] = []
  private var hasRoot = false
  private var hasDocumentType = false
  /// Whether the last element had no content and its end is the next event.
  private var endsElement = false

  /// A reader of a document in UTF-8 without an XML declaration.
  package init(_ bytes: [UInt8]) {
    // XML allows no other control characters; a scanner without bytes finds no root.
    let hasControls = bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    scanner = XMLScanner(hasControls ? [] : bytes)
  }

  /// The next start or end; nil at the end of the document (``isComplete``) and at the first error, after which no call
  /// follows.
  package mutating func next() -> Event? {
    if endsElement {
      endsElement = false
      close()
      return .end
    }
    while let token = scanner.next() {
      switch token {
      case .start(let name, let isEmpty):
        endsElement = isEmpty
        return start(name)
      case .end(let name):
        guard let opened = open.last, scanner.equals(opened, name), isEndOfTag(name.upperBound) else { return nil }
        close()
        return .end
      case .text(let range):
        guard isAllowed(text: range) else { return nil }
      case .other(let range):
        guard accept(other: scanner.bytes[range]) else { return nil }
      }
    }
    isComplete = scanner.isAtEnd && hasRoot && open.isEmpty
    return nil
  }

  private mutating func start(_ name: Range<Int>) -> Event? {
    // A document has one root.
    guard !hasRoot || !open.isEmpty, scanner.attributes.count < XMLScanner.attributeLimit else { return nil }
    hasRoot = true
    open.append(name)
    for attribute in scanner.attributes {
      let (prefix, local) = scanner.split(attribute.name)
      if scanner.equals(prefix, "xmlns") { prefixes.append((local, open.count)) }
    }
    guard prefixes.count <= Self.namespaceLimit, isDeclared(name) else { return nil }
    var attributes: [(name: String, value: String)] = []
    var names: Set<ArraySlice<UInt8>> = []
    for attribute in scanner.attributes {
      guard scanner.bytes[attribute.name.lowerBound - 1].isSpace, names.insert(scanner.bytes[attribute.name]).inserted,
        isDeclared(attribute.name), let value = value(scanner.bytes[attribute.value])
      else { return nil }
      let isNamespace =
        scanner.equals(attribute.name, "xmlns") || scanner.equals(scanner.split(attribute.name).prefix, "xmlns")
      if !isNamespace { attributes.append((text(attribute.name), value)) }
    }
    return .start(name: text(name), attributes: attributes)
  }

  private mutating func close() {
    open.removeLast()
    while let last = prefixes.last, last.depth > open.count { prefixes.removeLast() }
  }

  /// Whether a qualified name is valid and its prefix is declared. Characters outside of ASCII are not checked.
  private func isDeclared(_ name: Range<Int>) -> Bool {
    let parts = scanner.bytes[name].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy(\.isXMLName) else { return false }
    guard parts.count == 2 else { return true }
    let prefix = scanner.split(name).prefix
    return scanner.equals(prefix, "xml") || scanner.equals(prefix, "xmlns")
      || prefixes.contains { scanner.equals($0.prefix, prefix) }
  }

  /// Whether only white space is between here and the end of the tag.
  private func isEndOfTag(_ index: Int) -> Bool {
    scanner.bytes[index...].first { !$0.isSpace } == UInt8(ascii: ">")
  }

  /// Outside of the root only white space is allowed, and inside no `]]>` and no unknown reference.
  private func isAllowed(text range: Range<Int>) -> Bool {
    let bytes = scanner.bytes[range]
    let isLiteral = scanner.isLiteral(range)
    guard !open.isEmpty else { return !isLiteral && bytes.allSatisfy(\.isSpace) }
    if isLiteral { return true }
    let endsSection = bytes.indices.contains { bytes[$0...].starts(with: "]]>".utf8) }
    return !endsSection && XMLScanner.replacingReferences(in: bytes, [:]) != nil
  }

  /// Accepts comments, and one document type before the root without an internal subset.
  private mutating func accept(other markup: ArraySlice<UInt8>) -> Bool {
    if markup.starts(with: "<!--".utf8) {
      let hyphen = UInt8(ascii: "-")
      let comment = markup.dropFirst(4).dropLast(3)
      return comment.last != hyphen
        && !zip(comment, comment.dropFirst()).contains { $0 == hyphen && $1 == hyphen }
    }
    guard markup.starts(with: "<!DOCTYPE".utf8), markup.dropFirst(9).first?.isSpace == true, !hasRoot, !hasDocumentType,
      !markup.contains(UInt8(ascii: "[")), !markup.dropFirst().contains(UInt8(ascii: "<"))
    else { return false }
    hasDocumentType = true
    return true
  }

  /// The value of an attribute (XML 1.0 §2.11, §3.3.3); nil if it is not well-formed.
  private func value(_ raw: ArraySlice<UInt8>) -> String? {
    guard !raw.contains(UInt8(ascii: "<")) else { return nil }
    var plain: [UInt8] = []
    for byte in raw {
      // A carriage return and a line feed are one line end.
      if byte == 0x0A, plain.last == 0x0D { plain.removeLast() }
      plain.append(byte)
    }
    for index in plain.indices where plain[index].isSpace { plain[index] = 0x20 }
    return XMLScanner.replacingReferences(in: plain[...], [:]).map { String(decoding: $0, as: UTF8.self) }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: scanner.bytes[range], as: UTF8.self) }
}

extension UInt8 {
  /// White space of XML, where other control characters are excluded.
  fileprivate var isSpace: Bool { self <= 0x20 }
}

extension ArraySlice<UInt8> {
  fileprivate var isXMLName: Bool {
    guard let first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
      return false
    }
    return allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xFF:
        true
      default: false
      }
    }
  }
}
