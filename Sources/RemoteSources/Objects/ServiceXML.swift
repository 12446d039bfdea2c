/// The texts of elements in a response of S3, whose elements have neither attributes of interest nor equal names at different depths.
struct ServiceXML {
  /// In UTF-8. Pages of 1,000 keys are searched, so bytes are compared and not characters.
  private let text: ArraySlice<UInt8>

  init(_ body: [UInt8]) { text = body[...] }

  private init(part: ArraySlice<UInt8>) { text = part }

  /// The text of the first element of a name; nil if there is none.
  func first(_ name: String) -> String? {
    var rest = text
    return Self.next(name, in: &rest).map(Self.decoded)
  }

  /// The texts of all elements of a name, in order.
  func all(_ name: String) -> [String] { parts(name).map { Self.decoded($0.text) } }

  /// The contents of all elements of a name that have elements themselves, in order.
  func parts(_ name: String) -> [ServiceXML] {
    var (rest, found) = (text, [ServiceXML]())
    while let part = Self.next(name, in: &rest) { found.append(ServiceXML(part: part)) }
    return found
  }

  /// Whether there is an element of this name, which may have attributes.
  func has(_ name: String) -> Bool {
    Self.range(of: Array("<\(name)>".utf8), in: text) != nil || Self.range(of: Array("<\(name) ".utf8), in: text) != nil
  }

  private static func next(_ name: String, in rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = range(of: Array("<\(name)>".utf8), in: rest) else { return nil }
    let after = rest[start.upperBound...]
    guard let end = range(of: Array("</\(name)>".utf8), in: after) else { return nil }
    rest = after[end.upperBound...]
    return after[..<end.lowerBound]
  }

  /// The first place of a tag.
  private static func range(of tag: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: tag) { return start..<start + tag.count }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Replaces the five entities of XML and references to characters.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var (result, rest) = ("", text[...])
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ";"), let character = character(rest[..<end]) else {
        result += "&"
        continue
      }
      result.unicodeScalars.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.dropFirst().hasPrefix("x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
  }
}
