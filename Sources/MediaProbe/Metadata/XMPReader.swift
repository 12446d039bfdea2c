internal import Encodings

/// Parses the RDF of an XMP packet.
///
/// Only properties directly in a top-level `rdf:Description` count. Deeper ones describe other files (ingredients,
/// histories), except for Google's container directory.
struct XMPReader {
  /// Maximum nesting depth.
  static let depthLimit = 64
  /// Maximum namespace declarations in scope; each name is looked up among them.
  static let namespaceLimit = 128

  private var scanner: XMLScanner
  /// Namespace declarations in scope, each with the depth of its element.
  private var namespaces: [(prefix: Range<Int>, uri: Range<Int>, depth: Int)] = []
  private var depth = 0
  /// The depth of `rdf:RDF`; 0 outside it.
  private var rdfDepth = 0
  /// The property and the item field whose elements are open.
  private var property: XMPPacket.Property?
  private var field: XMPName.ItemField?

  init(_ bytes: [UInt8]) {
    scanner = XMLScanner(bytes.count > XMPPacket.byteLimit ? Array(bytes.prefix(XMPPacket.byteLimit)) : bytes)
  }

  mutating func read(into packet: inout XMPPacket) {
    while let token = scanner.next() {
      switch token {
      case .start(let name, let isEmpty):
        guard depth < Self.depthLimit else { return }
        depth += 1
        declareNamespaces()
        open(name, into: &packet)
        if isEmpty { close() }
      case .end: close()
      case .text(let range):
        if let property { packet.set(property, scanner.text(range)) }
        if let field, let text = scanner.text(range) { packet.setItem(field, text) }
      case .other: break
      }
    }
  }

  private mutating func open(_ name: Range<Int>, into packet: inout XMPPacket) {
    let element = known(name, isAttribute: false)
    switch element {
    case .rdf where rdfDepth == 0: rdfDepth = depth
    case .item where rdfDepth > 0: packet.addItem()
    case .itemField(let open) where rdfDepth > 0: field = open
    case .property(let open) where rdfDepth > 0 && depth == rdfDepth + 2: property = open
    default: break
    }
    guard rdfDepth > 0 else { return }
    for attribute in scanner.attributes {
      switch known(attribute.name, isAttribute: true) {
      case .property(let property) where depth == rdfDepth + 1: packet.set(property, scanner.text(attribute.value))
      case .itemField(let field): packet.setItem(field, scanner.text(attribute.value))
      default: break
      }
    }
  }

  private mutating func close() {
    if depth == rdfDepth { rdfDepth = 0 }
    depth = max(0, depth - 1)
    while let last = namespaces.last, last.depth > depth { namespaces.removeLast() }
    if depth < rdfDepth + 2 { property = nil }
    field = nil
  }

  private mutating func declareNamespaces() {
    for attribute in scanner.attributes where namespaces.count < Self.namespaceLimit {
      let (prefix, local) = scanner.split(attribute.name)
      if scanner.equals(prefix, "xmlns") {
        namespaces.append((local, attribute.value, depth))
      } else if prefix.isEmpty, scanner.equals(local, "xmlns") {
        namespaces.append((prefix, attribute.value, depth))
      }
    }
  }

  /// The meaning of a qualified name; nil if it is of no interest. An attribute without a prefix has no namespace.
  private func known(_ name: Range<Int>, isAttribute: Bool) -> XMPName? {
    let (prefix, local) = scanner.split(name)
    if isAttribute, prefix.isEmpty { return nil }
    var uri: Range<Int>?
    for candidate in XMPName.known where scanner.equals(local, candidate.local) {
      if uri == nil { uri = namespaces.last { scanner.equals($0.prefix, prefix) }?.uri }
      guard let uri else { return nil }
      if scanner.equals(uri, candidate.namespace) { return candidate.name }
    }
    return nil
  }
}
