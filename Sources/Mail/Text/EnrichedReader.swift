/// Writes the text of text/enriched (RFC 1896) or text/richtext (RFC 1341 §7.1.3) without its formatting commands, from left to right. Every octet is read
/// once; what never ends is the rest of the text.
struct EnrichedReader {
  private let text: [UInt8]
  private let isRichtext: Bool
  private let maxOctets: Int
  private var offset = 0

  private(set) var output: [UInt8] = []
  private(set) var isTruncated = false

  /// Line breaks since the last text: one is a space, more are one fewer (RFC 1896 §2).
  private var lineFeeds = 0
  private var breaksPending = 0
  /// Depth of text as it is broken into lines.
  private var unfilled = 0
  /// Depth of text that is not displayed.
  private var hidden = 0

  /// - Parameter text: The decoded text in UTF-8, with LF between lines.
  init(_ text: [UInt8], isRichtext: Bool, maxOctets: Int) {
    (self.text, self.isRichtext, self.maxOctets) = (text, isRichtext, maxOctets)
  }

  mutating func read() {
    while offset < text.count {
      guard output.count <= maxOctets else {
        isTruncated = true
        return
      }
      let octet = text[offset]
      if octet == 0x3C {
        readMarkup()
        continue
      }
      offset += 1
      if octet == ASCII.lineFeed {
        lineFeed()
      } else if octet == ASCII.tab || octet >= 0x20 && octet != 0x7F {
        write(octet)
      }
    }
  }

  // MARK: Markup

  /// The longest name of a command (RFC 1896 §1).
  private static let maxName = 60

  private mutating func readMarkup() {
    let next = offset + 1 < text.count ? text[offset + 1] : 0
    if next == 0x3C {
      offset += 2
      return write(0x3C)
    }
    let isEnd = next == 0x2F
    let start = offset + (isEnd ? 2 : 1)
    let name = text[min(start, text.count)...].prefix(Self.maxName + 1).prefix {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D
    }
    guard !name.isEmpty, name.count <= Self.maxName, name.endIndex < text.count, text[name.endIndex] == 0x3E else {
      offset += 1
      return write(0x3C)
    }
    offset = name.endIndex + 1
    let command = String(decoding: name.map(ASCII.lower), as: UTF8.self)
    isRichtext ? richtext(command, isEnd) : enriched(command, isEnd)
  }

  private mutating func enriched(_ command: String, _ isEnd: Bool) {
    switch command {
    case "param": hidden = max(0, hidden + (isEnd ? -1 : 1))
    case "nofill":
      breakAtLeast(1)
      unfilled = max(0, unfilled + (isEnd ? -1 : 1))
    case "center", "flushleft", "flushright", "flushboth", "paraindent", "indent", "indentright", "excerpt":
      breakAtLeast(1)
    default: break
    }
  }

  private mutating func richtext(_ command: String, _ isEnd: Bool) {
    switch command {
    case "comment": hidden = max(0, hidden + (isEnd ? -1 : 1))
    case "lt": if !isEnd { write(0x3C) }
    case "nl", "np": if !isEnd, hidden == 0 { lineBreak() }
    case "paragraph", "excerpt", "heading", "footing", "signature": breakAtLeast(2)
    case "center", "flushleft", "flushright", "indent", "indentright", "outdent", "outdentright": breakAtLeast(1)
    default: break
    }
  }

  // MARK: Output

  private mutating func lineFeed() {
    guard hidden == 0 else { return }
    if unfilled > 0 { lineBreak() } else { lineFeeds += 1 }
  }

  private mutating func lineBreak() {
    lineFeeds = 0
    // Line breaks at the beginning are not displayed; many in a row are the sender's.
    if !output.isEmpty { breaksPending = min(breaksPending + 1, 3) }
  }

  private mutating func breakAtLeast(_ count: Int) {
    if hidden == 0, !output.isEmpty { breaksPending = max(breaksPending, count) }
  }

  private mutating func write(_ octet: UInt8) {
    guard hidden == 0 else { return }
    // In richtext a line break is white space, however many there are.
    if lineFeeds > 1, !isRichtext, !output.isEmpty { breaksPending = max(breaksPending, min(lineFeeds - 1, 3)) }
    if breaksPending > 0 {
      while output.last == ASCII.space { output.removeLast() }
      output += repeatElement(ASCII.lineFeed, count: breaksPending)
    } else if lineFeeds > 0, let last = output.last, last != ASCII.space, last != ASCII.lineFeed, octet != ASCII.space {
      output.append(ASCII.space)
    }
    (lineFeeds, breaksPending) = (0, 0)
    output.append(octet)
  }
}
