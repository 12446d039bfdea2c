/// A start or end tag.
struct HTMLTag {
  /// The name in lower case; of a longer name the first 32 octets.
  let name: String
  /// Offset after the tag; the end of the document if the tag has no end.
  private(set) var end: Int
  private var attributes: [(name: String, value: [UInt8])] = []

  /// Reads the tag whose name is at an offset.
  init(_ html: [UInt8], at start: Int) {
    var offset = start
    while offset < html.count, html[offset] != 0x3E, html[offset] != 0x2F, !ASCII.isSpace(html[offset]) { offset += 1 }
    name = String(decoding: html[start..<min(offset, start + 32)].map(ASCII.lower), as: UTF8.self)
    end = offset
    let isNeeded = name == "a" || name == "img" || name == "area"
    while offset < html.count, html[offset] != 0x3E {
      if html[offset] == 0x2F || ASCII.isSpace(html[offset]) {
        offset += 1
        continue
      }
      let (name, value, next) = Self.attribute(html, at: offset)
      if isNeeded, name.count <= 8 {
        attributes.append((String(decoding: name.map(ASCII.lower), as: UTF8.self), Array(value)))
      }
      offset = next
    }
    end = min(offset + 1, html.count)
  }

  /// The value of an attribute with its references decoded; nil if it is missing.
  func attribute(_ name: String) -> [UInt8]? {
    guard let value = attributes.first(where: { $0.name == name })?.value else { return nil }
    var result: [UInt8] = []
    var offset = 0
    while offset < value.count {
      if value[offset] == 0x26 {
        let (octets, next) = HTMLReference.read(value, at: offset)
        result += octets
        offset = next
      } else {
        result.append(value[offset])
        offset += 1
      }
    }
    return result
  }

  private static func attribute(_ html: [UInt8], at start: Int) -> (ArraySlice<UInt8>, ArraySlice<UInt8>, Int) {
    var offset = start + 1
    while offset < html.count, html[offset] != 0x3D, html[offset] != 0x3E, html[offset] != 0x2F,
      !ASCII.isSpace(html[offset])
    {
      offset += 1
    }
    let name = html[start..<min(offset, html.count)]
    while offset < html.count, ASCII.isSpace(html[offset]) { offset += 1 }
    guard offset < html.count, html[offset] == 0x3D else { return (name, [], offset) }
    offset += 1
    while offset < html.count, ASCII.isSpace(html[offset]) { offset += 1 }
    guard offset < html.count else { return (name, [], offset) }
    let quote = html[offset]
    if quote == ASCII.quote || quote == 0x27 {
      let value = html[(offset + 1)...].prefix { $0 != quote }
      return (name, value, min(value.endIndex + 1, html.count))
    }
    let value = html[offset...].prefix { $0 != 0x3E && !ASCII.isSpace($0) }
    return (name, value, value.endIndex)
  }
}

/// A character reference in text or an attribute.
enum HTMLReference {
  /// The octets of the reference at an offset, and the offset after it. An unknown one is an ampersand.
  static func read(_ html: [UInt8], at start: Int) -> (octets: [UInt8], end: Int) {
    let name = html[(start + 1)...].prefix(32).prefix { $0 == 0x23 || ASCII.isLetter($0) || ASCII.isDigit($0) }
    guard !name.isEmpty, let scalar = HTMLEntities.scalar(name) else { return ([0x26], start + 1) }
    let end = name.endIndex < html.count && html[name.endIndex] == 0x3B ? name.endIndex + 1 : name.endIndex
    // Control characters are not displayed.
    guard scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) else { return ([ASCII.space], end) }
    return (Array(String(Character(scalar)).utf8), end)
  }
}
