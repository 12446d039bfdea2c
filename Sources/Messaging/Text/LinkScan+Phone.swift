extension LinkScan {
  /// Tries to match a phone number (A32).
  ///
  /// As a regular expression, where `s` is a space, a tab, a dot, a parenthesis or a hyphen:
  /// `(\+\d{1,4}s{0,3}|\()?(\d{1,4}s{0,3})?\d[\ds]{0,12}\d\b`, the first match in backtracking order. At least 5 of its
  /// characters must be dialable, exactly 5 only if there is nothing else. If it begins with 7 or more consecutive
  /// digits, it ends there, so that two numbers separated by a space are two links.
  mutating func phone(at start: Int) -> Trial {
    guard let end = endOfPhone(from: start) else { return .none }
    let length = end - start
    let dialable = bytes[start..<end].count { PhoneNumber.isDialable($0) }
    work &+= length
    guard dialable > 5 || dialable == 5 && length == 5 else { return .rejected(end: end) }
    var leading = start
    while leading < end, PhoneNumber.isDigitOrPlus(bytes[leading]) { leading += 1 }
    return .found(Span(kind: .phone, bytes: start..<(leading - start >= 7 ? leading : end)))
  }

  private mutating func endOfPhone(from start: Int) -> Int? {
    var runs = PhoneRuns(start: start)
    if isByte("+", at: start) {
      let digits = count(of: PhoneNumber.isDigit, from: start + 1, atMost: 4)
      for digits in stride(from: digits, through: 1, by: -1) {
        let behind = start + 1 + digits
        for separators in stride(from: separators(from: behind), through: 0, by: -1) {
          if let end = endOfNumber(from: behind + separators, runs: &runs) { return end }
        }
      }
      // Without the plus, a number would begin in the middle of this one.
      return nil
    }
    if isByte("(", at: start) { return endOfNumber(from: start + 1, runs: &runs) }
    return endOfNumber(from: start, runs: &runs)
  }

  /// Matches the optional group of up to four digits, then the run.
  private mutating func endOfNumber(from start: Int, runs: inout PhoneRuns) -> Int? {
    let digits = count(of: PhoneNumber.isDigit, from: start, atMost: 4)
    for digits in stride(from: digits, through: 1, by: -1) {
      for separators in stride(from: separators(from: start + digits), through: 0, by: -1) {
        if let end = endOfRun(from: start + digits + separators, runs: &runs) { return end }
      }
    }
    return endOfRun(from: start, runs: &runs)
  }

  /// The longest run of 2 to 14 digits and separators that begins and ends with a digit, without a word character after
  /// it.
  private mutating func endOfRun(from start: Int, runs: inout PhoneRuns) -> Int? {
    if runs.haveFailed(at: start) { return nil }
    if start < bytes.count, PhoneNumber.isDigit(bytes[start]) {
      let inner = count(
        of: { PhoneNumber.isDigit($0) || PhoneNumber.isSeparator($0) }, from: start + 1, atMost: 13)
      for last in stride(from: start + inner, to: start, by: -1)
      where PhoneNumber.isDigit(bytes[last]) && !isOne(of: .word, at: last + 1) {
        work &+= 1
        return last + 1
      }
      work &+= inner
    }
    runs.fail(at: start)
    return nil
  }

  private mutating func separators(from start: Int) -> Int {
    count(of: PhoneNumber.isSeparator, from: start, atMost: 3)
  }

  @inline(__always)
  private mutating func count(of isWanted: (UInt8) -> Bool, from start: Int, atMost limit: Int) -> Int {
    var count = 0
    while count < limit, start + count < bytes.count, isWanted(bytes[start + count]) { count += 1 }
    work &+= count + 1
    return count
  }
}

/// The positions at which no run was found. The groups before a run can be divided in many ways that lead to the same
/// position; each is tried once.
private struct PhoneRuns {
  private let start: Int
  /// One bit per position from the start: the groups before a run have at most 15 bytes.
  private var failed: UInt32 = 0

  init(start: Int) { self.start = start }

  func haveFailed(at place: Int) -> Bool { failed & bit(place) != 0 }
  mutating func fail(at place: Int) { failed |= bit(place) }

  private func bit(_ place: Int) -> UInt32 { 1 << UInt32(truncatingIfNeeded: place &- start) }
}
