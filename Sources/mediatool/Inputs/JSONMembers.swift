/// The members of a JSON object as they are written, for values that must come back unchanged.
enum JSONMembers {
  /// The members of an object that another decoder has accepted as JSON: their keys without escapes resolved, and the text of their values.
  ///
  /// - Returns: Nil if the text is not an object. Works without recursion, so no nesting is too deep.
  static func members(of json: [UInt8]) -> [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]? {
    var rest = trimmed(json[...])
    guard rest.first == UInt8(ascii: "{"), rest.last == UInt8(ascii: "}") else { return nil }
    rest = trimmed(rest.dropFirst().dropLast())
    var members: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
    while !rest.isEmpty {
      let text = value(at: rest)
      let key = trimmed(text)
      rest = trimmed(rest[text.endIndex...])
      guard key.first == quote, key.count >= 2, rest.first == UInt8(ascii: ":") else { return nil }
      rest = trimmed(rest.dropFirst())
      let value = trimmed(value(at: rest))
      guard !value.isEmpty else { return nil }
      rest = trimmed(rest[value.endIndex...])
      members.append((key.dropFirst().dropLast(), value))
      if rest.isEmpty { break }
      guard rest.first == UInt8(ascii: ",") else { return nil }
      rest = trimmed(rest.dropFirst())
      // Foundation's decoder accepts a comma at the end.
      if rest.isEmpty { return nil }
    }
    return members
  }

  /// The text of a member's value in an object whose end is missing; nil if the value is not complete. The text may be invalid.
  static func value(of key: String, inBeginning json: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = trimmed(json[...])
    repeat {
      rest = trimmed(rest.dropFirst())
      let member = value(at: rest)
      let name = trimmed(member)
      rest = rest[member.endIndex...]
      guard rest.first == UInt8(ascii: ":") else { return nil }
      rest = trimmed(rest.dropFirst())
      let text = value(at: rest)
      rest = rest[text.endIndex...]
      if name.dropFirst().dropLast().elementsEqual(key.utf8) { return rest.isEmpty ? nil : trimmed(text) }
    } while rest.first == UInt8(ascii: ",")
    return nil
  }

  private static let quote = UInt8(ascii: "\"")

  /// The text up to the comma, colon or end that follows a value.
  private static func value(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var (depth, isInString, isEscaped) = (0, false, false)
    for (index, byte) in zip(text.indices, text) {
      if isInString {
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\"): isEscaped = true
        default: isInString = byte != quote
        }
        continue
      }
      switch byte {
      case quote: isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 0 { return text[..<index] }
      default: break
      }
    }
    return text
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text = text.dropLast() }
    return text
  }
}
