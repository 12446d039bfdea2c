/// Detects phone numbers, e-mail addresses and web addresses in the text of a message.
///
/// The rules are those of a phone's messaging app, so that the same text has the same links there (A29, A30, A31, A32).
/// Host names use the known top-level domains of `TopLevelDomains`; e-mail accepts any domain. Anything uncertain is
/// plain text. Links do not overlap and are in the order of the text. The time is linear in the length of the text.
public struct LinkDetector: Sendable {
  /// The kinds to detect. All by default.
  public var kinds: Set<Link.Kind>

  /// A detector of links of these kinds; of all kinds by default.
  public init(kinds: Set<Link.Kind> = Set(Link.Kind.allCases)) { self.kinds = kinds }

  /// Finds the links of ``kinds`` in a text, in its order.
  public func links(in text: String) -> [Link] {
    var work = 0
    return links(in: text, work: &work)
  }

  /// The links, and in `work` the number of bytes examined.
  func links(in text: String, work: inout Int) -> [Link] {
    var text = text
    return text.withUTF8 { bytes in
      let spans = ByteClasses.table.withUnsafeBufferPointer { classes in
        var scan = LinkScan(bytes: bytes, classes: classes)
        defer { work = scan.work }
        return scan.spans(of: kinds)
      }
      return Self.links(spans, in: bytes)
    }
  }

  /// Converts byte offsets to all three units in one pass over the text, whatever the number of links.
  private static func links(_ spans: [LinkScan.Span], in bytes: UnsafeBufferPointer<UInt8>) -> [Link] {
    var position = TextPosition()
    return spans.map { span in
      position.advance(to: span.bytes.lowerBound, in: bytes)
      let start = position
      position.advance(to: span.bytes.upperBound, in: bytes)
      let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[span.bytes]), as: UTF8.self)
      return Link(
        kind: span.kind, text: text, target: target(of: span, text: text), scalars: start.scalars..<position.scalars,
        utf16: start.utf16..<position.utf16, utf8: span.bytes)
    }
  }

  private static func target(of span: LinkScan.Span, text: String) -> String {
    switch span.kind {
    case .email: return text
    case .phone: return PhoneNumber.dialable(text)
    case .url:
      guard span.schemeLength > 0 else { return "http://" + text }
      // Keyboards capitalise the first word to Http, which some browsers do not accept.
      return text.prefix(span.schemeLength).lowercased() + text.dropFirst(span.schemeLength)
    }
  }
}

/// A position in a text in three units.
struct TextPosition {
  private(set) var scalars = 0
  private(set) var utf16 = 0
  private(set) var utf8 = 0

  /// Advances to a later position.
  mutating func advance(to end: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    while utf8 < end {
      let byte = bytes[utf8]
      utf8 &+= 1
      // Continuation bytes belong to a scalar that is already counted; four bytes are a surrogate pair.
      guard byte & 0xC0 != 0x80 else { continue }
      scalars &+= 1
      utf16 &+= byte >= 0xF0 ? 2 : 1
    }
  }
}
