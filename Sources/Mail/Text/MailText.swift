internal import Encodings
internal import MediaModel

/// The text of a part as it can be displayed: decoded, without markup, with its links.
///
/// HTML becomes text in one linear pass. Scripts, styles, comments and hidden elements of the head are dropped; nothing is rendered, executed or fetched. Of
/// text/enriched and text/richtext, the formatting commands and their parameters are dropped (RFC 1896, RFC 1341 §7.1.3).
public struct MailText: Hashable, Codable, Sendable {
  /// A link of HTML text. Links in plain text are found by `LinkDetector` of Messaging.
  public struct Link: Hashable, Codable, Sendable {
    /// The offsets of its text in UTF-8 code units of ``MailText/text``.
    public let range: Range<Int>
    /// The address: `http`, `https`, `mailto` or `tel`. Compare it with the text before you open it.
    public let target: String
  }

  /// The text, with LF between lines.
  public private(set) var text = ""
  /// The links in the order of the text. They do not overlap.
  public private(set) var links: [Link] = []
  /// Whether the text was longer than the limit, or only the beginning of the part was read: 16 MiB.
  public internal(set) var isTruncated = false

  /// Octets of a part that are read for its text.
  static let maxInputOctets = 16 << 20
  /// Octets of the text of a part, in UTF-8.
  static let maxPartOctets = 1 << 20
  /// Octets of the text of a mail, in UTF-8: ten thousand parts would make gigabytes otherwise.
  static let maxMailOctets = 4 << 20

  init() {}

  /// The text of the decoded octets of a part.
  ///
  /// The charset is that of the part, for HTML otherwise of its `meta` element; without one, or with an unknown one, UTF-8 if it is valid, else
  /// windows-1252. Plain text with `format=flowed` is joined to paragraphs (RFC 3676).
  /// - Parameter maxOctets: The limit of the text in UTF-8. 1 MiB by default.
  public init(octets: some Collection<UInt8>, of part: MailStructure.Part, maxOctets: Int = 1 << 20) {
    let isWhole = octets.count <= Self.maxInputOctets
    self.init(octets: Array(octets.prefix(Self.maxInputOctets)), isWhole: isWhole, of: part, maxOctets: maxOctets)
  }

  /// The text of the beginning of a part, or of all of it.
  init(octets: [UInt8], isWhole: Bool, of part: MailStructure.Part, maxOctets: Int = maxPartOctets) {
    let isHTML = part.type.rawValue == "text/html"
    let charset = part.charset.flatMap { Charset(name: $0) } ?? (isHTML ? HTMLCharset.declared(in: octets) : nil)
    // The text before a divided character is UTF-8 all the same.
    let isDivided = !isWhole && (charset ?? .usASCII) == .usASCII
    let whole = isDivided ? Self.withoutDividedCharacter(octets) : octets[...]
    let decoded = charset?.mailText(whole) ?? Charset.mailText(undeclared: whole)
    if isHTML {
      self.init(html: decoded, maxOctets: maxOctets)
    } else if ["text/rtf", "application/rtf"].contains(part.type.rawValue) || Self.isRTF(octets, of: part) {
      var reader = RTFReader(octets, maxOctets: max(0, maxOctets))
      reader.read()
      self.init()
      cut(reader.output, at: max(0, maxOctets))
      isTruncated = isTruncated || reader.isTruncated
    } else if ["text/enriched", "text/richtext"].contains(part.type.rawValue) {
      var reader = EnrichedReader(
        Lines.normalised(decoded), isRichtext: part.type.rawValue == "text/richtext", maxOctets: max(0, maxOctets))
      reader.read()
      self.init()
      cut(reader.output, at: max(0, maxOctets))
      isTruncated = isTruncated || reader.isTruncated
    } else {
      let isFlowed = part.parameters["format"]?.lowercased() == "flowed" && part.type.rawValue == "text/plain"
      let deletesSpaces = part.parameters["delsp"]?.lowercased() == "yes"
      let lines = isFlowed ? FlowedText.joined(decoded, deletesSpaces: deletesSpaces) : Lines.normalised(decoded)
      self.init()
      cut(lines, at: max(0, maxOctets))
    }
    isTruncated = isTruncated || !isWhole
  }

  /// Whether a part that is declared as text/richtext is RTF, which some senders declare so.
  private static func isRTF(_ octets: [UInt8], of part: MailStructure.Part) -> Bool {
    part.type.rawValue == "text/richtext" && octets.starts(with: "{\\rtf".utf8)
  }

  /// Octets without the beginning of a UTF-8 sequence at their end.
  private static func withoutDividedCharacter(_ octets: [UInt8]) -> ArraySlice<UInt8> {
    guard let first = octets.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return octets[...] }
    let length = octets[first] >= 0xF0 ? 4 : octets[first] >= 0xE0 ? 3 : octets[first] >= 0xC0 ? 2 : 1
    return first + length > octets.count ? octets[..<first] : octets[...]
  }

  /// The text of HTML.
  /// - Parameter maxOctets: The limit of the text in UTF-8. 1 MiB by default.
  public init(html: String, maxOctets: Int = 1 << 20) {
    var reader = HTMLReader(Array(html.utf8), maxOctets: max(0, maxOctets))
    reader.read()
    links = reader.links
    cut(reader.output, at: max(0, maxOctets))
    isTruncated = isTruncated || reader.isTruncated
  }

  private mutating func cut(_ octets: [UInt8], at limit: Int) {
    isTruncated = octets.count > limit
    var end = min(octets.count, limit)
    // Not inside a character.
    while end > 0, end < octets.count, octets[end] & 0xC0 == 0x80 { end -= 1 }
    text = String(decoding: octets[..<end], as: UTF8.self)
    links.removeAll { $0.range.upperBound > end }
  }

  mutating func append(_ other: MailText) {
    isTruncated = isTruncated || other.isTruncated
    guard !other.text.isEmpty else { return }
    while text.utf8.last == 0x0A { text.removeLast() }
    if !text.isEmpty { text += "\n\n" }
    let start = text.utf8.count
    links += other.links.map {
      Link(range: $0.range.lowerBound + start..<$0.range.upperBound + start, target: $0.target)
    }
    text += other.text
  }

  /// The content ids that HTML names, as in `src="cid:logo@example.org"` (RFC 2392), for ``MailStructure/resolveInlinePictures(contentIDs:inMessage:)``.
  public static func contentIDs(inHTML html: some Collection<UInt8>) -> Set<String> {
    let octets = Array(html)
    var result: Set<String> = []
    var offset = 3
    while offset < octets.count {
      offset += 1
      guard octets[offset - 1] == 0x3A, octets[offset - 2] | 0x20 == 0x64, octets[offset - 3] | 0x20 == 0x69,
        octets[offset - 4] | 0x20 == 0x63
      else { continue }
      let value = octets[offset...].prefix(998).prefix {
        $0 > 0x20 && $0 != ASCII.quote && $0 != 0x27 && $0 != 0x29 && $0 != 0x3E && $0 != 0x3C && $0 != 0x26
      }
      offset = value.endIndex
      if !value.isEmpty { result.insert(String(decoding: PercentEncoding.decoded(value), as: UTF8.self)) }
    }
    return result
  }
}

/// Lines of plain text.
enum Lines {
  /// CRLF and CR become LF.
  static func normalised(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var isAfterReturn = false
    for octet in text.utf8 {
      if octet == ASCII.carriageReturn {
        result.append(ASCII.lineFeed)
      } else if octet != ASCII.lineFeed || !isAfterReturn {
        result.append(octet)
      }
      isAfterReturn = octet == ASCII.carriageReturn
    }
    return result
  }
}
