extension XMLScanner {
  /// The prefix and the local name of a qualified name.
  package func split(_ name: Range<Int>) -> (prefix: Range<Int>, local: Range<Int>) {
    for index in name where bytes[index] == UInt8(ascii: ":") {
      return (name.lowerBound..<index, index + 1..<name.upperBound)
    }
    return (name.lowerBound..<name.lowerBound, name)
  }

  /// Whether these bytes are that text.
  package func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count where bytes[range.lowerBound + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Whether two ranges have the same bytes.
  package func equals(_ left: Range<Int>, _ right: Range<Int>) -> Bool { bytes[left] == bytes[right] }

  /// Whether a text is a CDATA section, in which a reference is literal text.
  package func isLiteral(_ text: Range<Int>) -> Bool {
    bytes[..<text.lowerBound].suffix(9).elementsEqual("<![CDATA[".utf8)
  }

  /// Replaces all references: XML's five entities, character references and the document's own entities. Nil if there
  /// is any other.
  package static func replacingReferences(in raw: ArraySlice<UInt8>, _ entities: [[UInt8]: [UInt8]]) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = raw
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&") else {
        out.append(byte)
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = rest[..<end]
      if let scalar = scalar(ofReference: name) {
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

  /// The character of a reference between `&` and `;`: one of XML's five entities, or a number. Nil for anything else,
  /// for characters that XML does not allow, and for numbers with more than 14 digits.
  package static func scalar(ofReference name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard name.count <= 16 else { return nil }
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == UInt8(ascii: "#") else { return nil }
      let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
      let digits = String(decoding: name.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
      // A sign is a digit to UInt32, but not to XML.
      guard digits.first != "+", let value = UInt32(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
      switch value {
      case 0..<0x09, 0x0B, 0x0C, 0x0E..<0x20, 0xFFFE, 0xFFFF: return nil
      default: return Unicode.Scalar(value)
      }
    }
  }
}
