internal import Encodings

/// Writes the text of RTF from left to right. Destinations that are not text, such as fonts and pictures, are skipped.
struct RTFReader {
  private(set) var output: [UInt8] = []
  private(set) var isTruncated = false

  private let rtf: [UInt8]
  private let maxOctets: Int
  private var offset = 0
  private var charset = Charset(name: "windows-1252")
  private var isCharsetStated = false
  /// Octets of the charset that are not decoded yet: a character may have several, and groups do not end it.
  private var pending: [UInt8] = []
  /// The depth of groups, and that of the outermost one that is skipped.
  private var depth = 0
  private var skipped: Int?
  /// Characters to skip after `\u`, but not beyond the group; of each group, as far as groups are remembered.
  private var fallback = 1
  private var fallbacks: [Int] = []
  private var skippedCharacters = 0
  /// The first half of a pair of `\u`.
  private var lead: UInt16?

  private static let maxDepth = 1_000

  init(_ rtf: [UInt8], maxOctets: Int) {
    self.rtf = rtf
    self.maxOctets = maxOctets
  }

  mutating func read() {
    while offset < rtf.count {
      if output.count > maxOctets {
        isTruncated = true
        break
      }
      let octet = rtf[offset]
      offset += 1
      switch octet {
      case 0x7B:
        skippedCharacters = 0
        depth += 1
        if fallbacks.count < Self.maxDepth { fallbacks.append(fallback) }
      case 0x7D:
        skippedCharacters = 0
        if skipped == depth { skipped = nil }
        if depth == fallbacks.count { fallback = fallbacks.popLast() ?? 1 }
        depth = max(0, depth - 1)
      case ASCII.backslash: readControl()
      case ASCII.carriageReturn, ASCII.lineFeed: break
      default: writeOctet(octet)
      }
    }
    flush()
  }

  private mutating func readControl() {
    guard offset < rtf.count else { return }
    let first = rtf[offset]
    guard ASCII.isLetter(first) else {
      offset += 1
      switch first {
      case 0x27:
        let digits = String(decoding: rtf[offset...].prefix(2), as: UTF8.self)
        offset = min(offset + 2, rtf.count)
        if let octet = UInt8(digits, radix: 16) { writeOctet(octet) }
      // A destination that older readers skip: so does this one.
      case 0x2A: skip()
      case 0x7E: write(" ")
      case ASCII.backslash, 0x7B, 0x7D: writeOctet(first)
      case ASCII.carriageReturn, ASCII.lineFeed: write("\n")
      default: break
      }
      return
    }
    let word = rtf[offset...].prefix(32).prefix(while: ASCII.isLetter)
    offset = word.endIndex
    let number = rtf[offset...].prefix(11).prefix { ASCII.isDigit($0) || $0 == ASCII.dash }
    offset = number.endIndex
    if offset < rtf.count, rtf[offset] == ASCII.space { offset += 1 }
    control(String(decoding: word, as: UTF8.self), Int(String(decoding: number, as: UTF8.self)))
  }

  private mutating func control(_ word: String, _ number: Int?) {
    switch word {
    case "par", "line", "sect", "row": write("\n")
    case "tab", "cell": write("\t")
    case "emdash": write("—")
    case "endash": write("–")
    case "bullet": write("•")
    case "lquote": write("‘")
    case "rquote": write("’")
    case "ldblquote": write("“")
    case "rdblquote": write("”")
    case "fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "footer", "headerl", "headerr", "footerl",
      "footerr", "object", "fldinst", "listtable", "xmlnstbl":
      skip()
    // It belongs to the header, so the first one counts: text before another one was decoded already.
    case "ansicpg" where !isCharsetStated && output.isEmpty && pending.isEmpty:
      charset = number.flatMap(TNEFReader.charset(codePage:)) ?? charset
      isCharsetStated = true
    case "uc": fallback = min(max(number ?? 1, 0), 8)
    case "u":
      // Negative numbers are the upper half of 16 bits.
      writeUnit(UInt16(truncatingIfNeeded: number ?? 0x20))
      skippedCharacters = fallback
    // The length is that of octets that follow.
    case "bin": offset += min(max(number ?? 0, 0), rtf.count - offset)
    default: break
    }
  }

  private mutating func skip() { if skipped == nil, depth > 0 { skipped = depth } }

  private mutating func writeOctet(_ octet: UInt8) {
    guard skipped == nil else { return }
    if skippedCharacters > 0 {
      skippedCharacters -= 1
    } else if octet >= 0x20, octet != 0x7F {
      pending.append(octet)
    }
  }

  private mutating func write(_ text: String) {
    guard skipped == nil else { return }
    flush()
    skippedCharacters = 0
    output += text.utf8
  }

  /// A code unit of UTF-16. Control characters are not displayed.
  private mutating func writeUnit(_ unit: UInt16) {
    guard skipped == nil, unit >= 0x20 else { return }
    if UTF16.isLeadSurrogate(unit) {
      lead = unit
      return
    }
    let units = [lead, unit].compactMap { $0 }
    lead = nil
    write(String(decoding: units, as: UTF16.self))
  }

  private mutating func flush() {
    guard !pending.isEmpty else { return }
    output += (charset?.mailText(pending[...]) ?? Charset.mailText(undeclared: pending[...])).utf8
    pending.removeAll(keepingCapacity: true)
  }
}
