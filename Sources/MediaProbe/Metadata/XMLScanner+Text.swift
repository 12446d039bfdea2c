internal import Encodings

extension XMLScanner {
  /// The text of an element or attribute value. XML's five entities and character references are replaced; others are
  /// kept.
  func text(_ range: Range<Int>) -> String? {
    let range = range.clamped(to: range.lowerBound..<min(range.upperBound, range.lowerBound + 8_192))
    guard bytes[range].contains(UInt8(ascii: "&")) else { return MetadataText.clean(bytes[range]) }
    var out: [UInt8] = []
    var rest = bytes[range]
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.scalar(ofReference: rest[rest.startIndex + 1..<end])
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
}
