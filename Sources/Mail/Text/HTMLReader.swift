/// Writes the text of HTML from left to right. Every octet is read once; what never ends is the rest of the document.
struct HTMLReader {
  private let html: [UInt8]
  private let maxOctets: Int
  private var offset = 0

  private(set) var output: [UInt8] = []
  private(set) var links: [MailText.Link] = []
  private(set) var isTruncated = false

  private var isSpacePending = false
  private var breaksPending = 0
  private var preformatted = 0
  private var target: String?
  private var linkStart: Int?

  init(_ html: [UInt8], maxOctets: Int) {
    self.html = html
    self.maxOctets = maxOctets
  }

  mutating func read() {
    while offset < html.count {
      if output.count > maxOctets {
        isTruncated = true
        break
      }
      let octet = html[offset]
      switch octet {
      case 0x3C: readMarkup()
      case 0x26: readReference()
      case _ where ASCII.isSpace(octet) || octet == 0x0C:
        offset += 1
        if preformatted > 0 {
          if octet == ASCII.lineFeed {
            lineBreak()
          } else if octet != ASCII.carriageReturn {
            write(CollectionOfOne(ASCII.space))
          }
        } else {
          isSpacePending = true
        }
      default:
        offset += 1
        if octet >= 0x20, octet != 0x7F { write(CollectionOfOne(octet)) }
      }
    }
    endLink()
  }

  // MARK: Markup

  private mutating func readMarkup() {
    let next = offset + 1 < html.count ? html[offset + 1] : 0
    if next == 0x21 || next == 0x3F {
      // A comment ends with `-->`; any other declaration with `>`.
      let isComment = html[offset...].starts(with: "<!--".utf8)
      skip(past: isComment ? "-->" : ">", from: offset + (isComment ? 4 : 2))
      return
    }
    let isEnd = next == 0x2F
    let start = offset + (isEnd ? 2 : 1)
    guard start < html.count, ASCII.isLetter(html[start]) else {
      offset += 1
      write(CollectionOfOne(0x3C))
      return
    }
    var tag = HTMLTag(html, at: start)
    offset = tag.end
    isEnd ? close(tag.name) : open(&tag)
  }

  /// Moves after a text, or to the end.
  private mutating func skip(past text: StaticString, from start: Int) {
    text.withUTF8Buffer { text in
      offset = start
      while offset < html.count {
        if html[offset] == text[0], html[offset...].starts(with: text) {
          offset += text.count
          return
        }
        offset += 1
      }
      offset = html.count
    }
  }

  /// Moves to the end tag of an element whose content is not text.
  private mutating func skipContent(of name: String) {
    while offset < html.count {
      if html[offset] == 0x3C, offset + 1 < html.count, html[offset + 1] == 0x2F,
        html[(offset + 2)...].prefix(name.utf8.count).lazy.map(ASCII.lower).elementsEqual(name.utf8)
      {
        return
      }
      offset += 1
    }
  }

  private mutating func open(_ tag: inout HTMLTag) {
    switch tag.name {
    case "script", "style", "title", "iframe", "noembed", "noframes", "template", "xmp", "textarea", "select":
      skipContent(of: tag.name)
    case "br": lineBreak()
    case "img", "area":
      if let alternative = tag.attribute("alt") { writeText(alternative) }
    case "a":
      endLink()
      target = tag.attribute("href").flatMap(Self.safeTarget)
    case "li":
      breakAtLeast(1)
      writeText(Array("• ".utf8))
    case "td", "th": isSpacePending = true
    case "pre":
      breakAtLeast(2)
      preformatted += 1
    default: breakAtLeast(Self.breaks[tag.name] ?? 0)
    }
  }

  private mutating func close(_ name: String) {
    switch name {
    case "a": endLink()
    case "pre":
      preformatted = max(0, preformatted - 1)
      breakAtLeast(2)
    case "li": breakAtLeast(1)
    default: breakAtLeast(Self.breaks[name] ?? 0)
    }
  }

  /// Line breaks around an element: two for one with an empty line.
  private static let breaks: [String: Int] = [
    "p": 2, "h1": 2, "h2": 2, "h3": 2, "h4": 2, "h5": 2, "h6": 2, "blockquote": 2, "ul": 2, "ol": 2, "dl": 2,
    "table": 2,
    "hr": 2, "div": 1, "tr": 1, "dt": 1, "dd": 1, "section": 1, "article": 1, "header": 1, "footer": 1, "main": 1,
    "nav": 1,
    "aside": 1, "address": 1, "center": 1, "form": 1, "fieldset": 1, "figure": 1, "figcaption": 1, "caption": 1,
    "body": 1,
  ]

  /// The address of a link that can be offered: of a known scheme, without spaces and control characters; otherwise nil.
  private static func safeTarget(_ value: [UInt8]) -> String? {
    let octets = value.filter { $0 > 0x20 && $0 != 0x7F }
    guard octets.count <= 8_192 else { return nil }
    let scheme = String(decoding: octets.prefix { $0 != 0x3A }.prefix(8).map(ASCII.lower), as: UTF8.self)
    guard ["http", "https", "mailto", "tel"].contains(scheme) else { return nil }
    return String(decoding: octets, as: UTF8.self)
  }

  // MARK: References

  private mutating func readReference() {
    let (octets, end) = HTMLReference.read(html, at: offset)
    offset = end
    write(octets)
  }

  // MARK: Output

  private mutating func lineBreak() {
    isSpacePending = false
    // Line breaks at the beginning are not displayed; many in a row are the sender's.
    if !output.isEmpty { breaksPending = min(breaksPending + 1, 3) }
  }

  private mutating func breakAtLeast(_ count: Int) {
    guard count > 0 else { return }
    isSpacePending = false
    if !output.isEmpty { breaksPending = max(breaksPending, count) }
  }

  private mutating func write(_ octets: some Collection<UInt8>) {
    if breaksPending > 0 {
      output += repeatElement(ASCII.lineFeed, count: breaksPending)
    } else if isSpacePending, !output.isEmpty, output.last != ASCII.space {
      output.append(ASCII.space)
    }
    breaksPending = 0
    isSpacePending = false
    if target != nil, linkStart == nil { linkStart = output.count }
    output += octets
  }

  /// Text of an attribute, with its spaces.
  private mutating func writeText(_ octets: [UInt8]) {
    guard !octets.isEmpty else { return }
    write(octets.filter { $0 >= 0x20 && $0 != 0x7F })
  }

  private mutating func endLink() {
    if let target, let linkStart, linkStart < output.count {
      links.append(MailText.Link(range: linkStart..<output.count, target: target))
    }
    target = nil
    linkStart = nil
  }
}
