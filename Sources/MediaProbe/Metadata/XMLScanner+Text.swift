extension XMLScanner {
  /// The prefix and the local name of a qualified name.
  func split(_ name: Range<Int>) -> (prefix: Range<Int>, local: Range<Int>) {
    for index in name where bytes[index] == UInt8(ascii: ":") {
      return (name.lowerBound..<index, index + 1..<name.upperBound)
    }
    return (name.lowerBound..<name.lowerBound, name)
  }

  func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count where bytes[range.lowerBound + index] != text.utf8Start[index] { return false }
    return true
  }

  func equals(_ left: Range<Int>, _ right: Range<Int>) -> Bool { bytes[left] == bytes[right] }

  /// The text of an element or attribute value. XML's five entities and character references are replaced; others are
  /// kept.
  func text(_ range: Range<Int>) -> String? {
    let range = range.clamped(to: range.lowerBound..<min(range.upperBound, range.lowerBound + 8_192))
    guard bytes[range].contains(UInt8(ascii: "&")) else { return MetadataText.clean(bytes[range]) }
    var out: [UInt8] = []
    var rest = bytes[range]
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.scalar(ofEntity: rest[rest.startIndex + 1..<end])
      {
        out.append(contentsOf: String(scalar).utf8)
        rest = rest[(end + 1)...]
      } else {
        out.append(byte)
        rest = rest.dropFirst()
      }
    }
    return MetadataText.clean(out)
  }

  /// Replaces all references: XML's five entities, character references and the document's own entities. Nil if there
  /// is any other.
  static func replacingReferences(in raw: ArraySlice<UInt8>, _ entities: [[UInt8]: [UInt8]]) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = raw
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&") else {
        out.append(byte)
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = rest[..<end]
      if let scalar = scalar(ofEntity: name.prefix(16)) {
        out.append(contentsOf: String(scalar).utf8)
      } else if let text = entities[Array(name)] {
        out += text
      } else {
        return nil
      }
      rest = rest[(end + 1)...]
    }
    return out
  }

  private static func scalar(ofEntity name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: name, as: UTF8.self)
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
      if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
      return nil
    }
  }
}
