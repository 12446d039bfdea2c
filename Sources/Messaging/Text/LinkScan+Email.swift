extension LinkScan {
  /// Maximum length of an address in bytes; a longer one is not a valid recipient (A28).
  private static let longestAddress = 312

  /// Tries to match an e-mail address (A31).
  ///
  /// A local part of letters, digits and `_` `.` `+` `-` `%`, an `@`, and a host whose last label has at least two
  /// letters, or is in Punycode.
  mutating func email(at start: Int) -> Trial {
    let at = endOfRun(of: .local, from: start)
    guard at > start, isByte("@", at: at), isOne(of: .word, at: at + 1) else { return .none }
    var end: Int?
    var label = at + 1
    while true {
      let behind = endOfRun(of: .label, from: label)
      if label > at + 1, let topEnd = endOfTop(label..<behind) { end = topEnd }
      guard isByte(".", at: behind), isOne(of: .label, at: behind + 1) else { break }
      label = behind + 1
    }
    guard let end else { return .none }
    // The match would cut the domain in the middle of a word.
    guard letterLength(at: end) == 0 else { return .rejected(end: end) }
    return end - start <= Self.longestAddress
      ? .found(Span(kind: .email, bytes: start..<end)) : .rejected(end: end)
  }

  /// The end of a label as a top-level domain, if it can be one; a hyphen ends it.
  private mutating func endOfTop(_ label: Range<Int>) -> Int? {
    if label.count > 4, text(label.prefix(4)).lowercased() == "xn--" { return label.upperBound }
    let end = endOfRun(of: .word, from: label.lowerBound)
    let isLetters = bytes[label.lowerBound..<end].allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    return isLetters && end - label.lowerBound >= 2 ? end : nil
  }
}
