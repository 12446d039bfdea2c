extension LinkScan {
  /// Maximum length of a host name in bytes (A30).
  private static let longestHost = 256
  /// Maximum length of a path in characters (A30).
  private static let longestPath = 2048

  /// Tries to match a web address (A30): an optional scheme, a host, and optionally a port and a path.
  ///
  /// The host is a dotted IPv4 address, or its last label is longer than 1 and not a number. Without a scheme, that
  /// label must be a known top-level domain. User names and IPv6 addresses are not supported.
  mutating func url(at start: Int) -> Trial {
    let hostStart = endOfScheme(from: start) ?? start
    let hasScheme = hostStart > start
    guard let host = host(from: hostStart) else { return .none }
    var end = host.end
    // The match would cut the name in the middle of a word.
    guard letterLength(at: end) == 0 else { return .rejected(end: end) }
    if isByte(":", at: end) {
      let digits = (end + 1)..<min(end + 6, bytes.count)
      let port = digits.prefix { PhoneNumber.isDigit(bytes[$0]) }.count
      if port > 0 { end += 1 + port }
    }
    let path = isByte(".", at: end) ? end + 1 : end
    let hasPath = isByte("/", at: path)
    guard isHost(host, hasScheme: hasScheme, hasPath: hasPath) else { return .rejected(end: end) }
    if hasPath { end = endOfPath(from: path + 1) }
    if isByte(")", at: end - 1), !bytes[start..<end].contains(UInt8(ascii: "(")) { end -= 1 }
    work &+= end - start
    return .found(Span(kind: .url, bytes: start..<end, schemeLength: hasScheme ? hostStart - start - 3 : 0))
  }

  /// The end of `http://`, `https://` or `rtsp://`, ignoring case.
  private mutating func endOfScheme(from start: Int) -> Int? {
    guard start < bytes.count, bytes[start] | 0x20 == UInt8(ascii: "h") || bytes[start] | 0x20 == UInt8(ascii: "r")
    else {
      return nil
    }
    for scheme in ["http://", "https://", "rtsp://"] as [StaticString] {
      let matches = scheme.withUTF8Buffer { expected in
        start + expected.count <= bytes.count
          && expected.indices.allSatisfy { offset in
            let byte = bytes[start + offset]
            // Only letters may differ, and only in the case bit.
            return byte == expected[offset] || byte | 0x20 == expected[offset] && expected[offset] >= UInt8(ascii: "a")
          }
      }
      work &+= 1
      if matches { return start + scheme.utf8CodeUnitCount }
    }
    return nil
  }

  /// A host name: its end and the start of its last label.
  private struct Host {
    var start: Int
    var lastLabel: Int
    var end: Int
  }

  /// Matches labels with single dots between them, up to the last label of letters, digits and `_`. A hyphen ends that
  /// label, unless it is in Punycode (`xn--`, RFC 5890).
  private mutating func host(from start: Int) -> Host? {
    guard isOne(of: .word, at: start) else { return nil }
    var host: Host?
    var label = start
    while true {
      let end = endOfRun(of: .label, from: label)
      if label > start, isOne(of: .word, at: label) {
        let isPunycode = end - label > 4 && text(label..<(label + 4)).lowercased() == "xn--"
        host = Host(start: start, lastLabel: label, end: isPunycode ? end : endOfRun(of: .word, from: label))
      }
      guard isByte(".", at: end), isOne(of: .label, at: end + 1) else { return host }
      label = end + 1
    }
  }

  private mutating func isHost(_ host: Host, hasScheme: Bool, hasPath: Bool) -> Bool {
    guard host.end - host.start <= Self.longestHost else { return false }
    let label = host.lastLabel..<host.end
    work &+= label.count
    if label.allSatisfy({ PhoneNumber.isDigit(bytes[$0]) }) { return isIPv4(host) }
    guard (2...TopLevelDomains.longestLabel).contains(label.count) else { return false }
    if hasScheme { return true }
    return TopLevelDomains.isKnown(text(label).lowercased(), hasPath: hasPath)
  }

  /// Whether the host is four numbers from 0 to 255.
  private func isIPv4(_ host: Host) -> Bool {
    let parts = bytes[host.start..<host.end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(PhoneNumber.isDigit)
          && part.reduce(0, { $0 * 10 + Int($1) - 0x30 }) < 256
      }
  }

  /// The end of a path: white space ends it. Punctuation that ends a sentence belongs to it only if something follows.
  private mutating func endOfPath(from start: Int) -> Int {
    var end = start
    var characters = 0
    while end < bytes.count, !isOne(of: .endsURL, at: end), !isSpace(at: end) {
      if isOne(of: .endsSentence, at: end),
        end + 1 == bytes.count || isOne(of: .endsURL, at: end + 1) || isSpace(at: end + 1)
      {
        break
      }
      if bytes[end] & 0xC0 != 0x80 {
        guard characters < Self.longestPath else { break }
        characters += 1
      }
      end += 1
    }
    return end
  }

  /// Whether non-ASCII white space begins here: U+00A0, U+1680, U+2000…U+200A, U+2028, U+2029, U+202F, U+205F, U+3000,
  /// U+FEFF, as in ECMAScript.
  private func isSpace(at place: Int) -> Bool {
    guard place + 1 < bytes.count, bytes[place] >= 0xC2 else { return false }
    if bytes[place] == 0xC2 { return bytes[place + 1] == 0xA0 }
    guard place + 2 < bytes.count else { return false }
    switch (bytes[place], bytes[place + 1], bytes[place + 2]) {
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF),
      (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
      return true
    default: return false
    }
  }
}
