/// The texts of elements in a response of S3, whose elements have neither attributes of interest nor equal names at different depths.
struct ServiceXML {
  private let text: Substring

  init(_ body: [UInt8]) { text = String(decoding: body, as: UTF8.self)[...] }

  /// The text of the first element of a name; nil if there is none.
  func first(_ name: String) -> String? {
    var rest = text
    return Self.next(name, in: &rest)
  }

  /// The texts of all elements of a name, in order.
  func all(_ name: String) -> [String] {
    var (rest, found) = (text, [String]())
    while let text = Self.next(name, in: &rest) { found.append(text) }
    return found
  }

  /// Whether there is an element of this name, which may have attributes.
  func has(_ name: String) -> Bool { text.contains("<\(name)>") || text.contains("<\(name) ") }

  private static func next(_ name: String, in rest: inout Substring) -> String? {
    guard let start = rest.firstRange(of: "<\(name)>") else { return nil }
    let after = rest[start.upperBound...]
    guard let end = after.firstRange(of: "</\(name)>") else { return nil }
    rest = after[end.upperBound...]
    return decoded(after[..<end.lowerBound])
  }

  /// Replaces the five entities of XML and references to characters.
  private static func decoded(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    var (result, rest) = ("", text)
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
