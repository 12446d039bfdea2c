/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Hashable {
  let isWeak: Bool
  /// The opaque part, with its quotes.
  let opaque: String

  /// A tag as it is written in a header field; nil if it is malformed.
  init?(_ text: some StringProtocol) {
    isWeak = text.hasPrefix("W/")
    opaque = String(isWeak ? text.dropFirst(2) : text[...])
    let bytes = Array(opaque.utf8)
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
      bytes.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 })
    else { return nil }
  }

  /// Whether both are strong and equal (section 8.8.3.2).
  func isStronglyEqual(to other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

  /// Whether both are equal, weak or not.
  func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }
}

/// What `If-Match` and `If-None-Match` name.
enum EntityTags {
  /// `*`: any representation.
  case any
  /// One of several tags.
  case list([EntityTag])

  /// Reads a field; malformed members are skipped, so that they match nothing.
  init(_ field: String) {
    let text = field.trimmingOptionalSpace
    if text == "*" {
      self = .any
      return
    }
    var tags: [EntityTag] = []
    var member = ""
    var isQuoted = false
    // A comma inside of a tag does not end it.
    for character in text.unicodeScalars {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        if let tag = EntityTag(member.trimmingOptionalSpace) { tags.append(tag) }
        member = ""
      } else {
        member.unicodeScalars.append(character)
      }
    }
    if let tag = EntityTag(member.trimmingOptionalSpace) { tags.append(tag) }
    self = .list(tags)
  }

  /// Whether one of them satisfies a comparison.
  func contains(_ isEqual: (EntityTag) -> Bool) -> Bool {
    switch self {
    case .any: true
    case .list(let tags): tags.contains(where: isEqual)
    }
  }
}

extension String {
  /// Without spaces and tabs at both ends (RFC 9110, section 5.6.3).
  var trimmingOptionalSpace: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
