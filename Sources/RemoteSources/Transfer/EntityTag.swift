internal import MediaModel

/// The name that a server gives to one version of a file (RFC 9110, section 8.8.3).
///
/// Only a strong tag means equal bytes. So `If-Match` has strong tags only: a weak one never matches there (section 13.1.1), and a server that follows
/// the rule would answer every request with 412. A weak tag is compared with that of the response instead.
struct EntityTag: Hashable, Sendable {
  /// Whether files of different bytes may have it.
  let isWeak: Bool
  /// With its quotes; `""` is a tag like others.
  let opaque: String

  /// The value of a header: `"abc"` or `W/"abc"`; nil for other texts.
  init?(_ text: String) {
    isWeak = text.hasPrefix("W/")
    let opaque = isWeak ? String(text.dropFirst(2)) : text
    guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\""),
      opaque.utf8.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F })
    else { return nil }
    self.opaque = opaque
  }

  /// A tag in a request of a user: as in a header, or without its quotes, as tools list it. Nil for other texts and for none at all.
  init?(requested text: String) {
    if text.hasPrefix("\"") || text.hasPrefix("W/\"") {
      self.init(text)
    } else {
      guard !text.isEmpty else { return nil }
      self.init("\"\(text)\"")
    }
  }

  /// As it is in a header.
  var text: String { "\(isWeak ? "W/" : "")\(opaque)" }

  /// Whether both may be of one version: the weak comparison, section 8.8.3.2.
  func matches(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension EntityTag? {
  /// The tag of a later response, compared with this one.
  /// - Throws: `changed` if it is another one; `badResponse` if it is missing, and nothing but the comparison shows the version.
  func check(_ other: EntityTag?) throws(MediaFailure) {
    guard let self else { return }
    if let other {
      guard self.matches(other) else { throw .changedSource }
    } else if self.isWeak {
      throw .badResponse(detail: "the response has no ETag, although an earlier one had a weak ETag")
    }
  }

  /// The header that makes a server refuse another version; none without a strong tag.
  var condition: [(name: String, value: String)] {
    guard let self, !self.isWeak else { return [] }
    return [("If-Match", self.text)]
  }
}
