/// What a line `From ` says, which begins a mail of an mbox after an empty line (RFC 4155, appendix A).
///
/// Texts have such lines too: paragraphs, which not every writer of an mbox quotes, and patches, of which each begins with one. So a line separates
/// mails only if it says as much as the first line of the file.
enum MboxSeparator {
  /// No date, as in a paragraph.
  case undated
  /// The line of `git format-patch`: an object name, and always the same date. Its output is an mbox, but most of these lines are in attached patches.
  case patch
  /// A date with month, time and year, as every other writer has it.
  case dated

  /// A line that begins with `From `, as octets from there on.
  init(_ line: [UInt8]) {
    let words = line.split(whereSeparator: ASCII.isSpace).dropFirst().prefix(Self.maxWords)
    let name = words.first ?? []
    if [40, 64].contains(name.count), name.allSatisfy(Self.isHexadecimal),
      words.dropFirst().elementsEqual(Self.patchDate, by: { $0.elementsEqual($1.utf8) })
    {
      self = .patch
      return
    }
    // The order of month, time and year differs between writers, and a zone may be before or after the year.
    let isDated =
      words.contains(where: Self.isMonth) && words.contains(where: Self.isTime) && words.contains(where: Self.isYear)
    self = isDated ? .dated : .undated
  }

  /// Whether this line begins a mail of a file with this first line.
  func separates(after first: MboxSeparator) -> Bool {
    switch first {
    case .undated: true
    case .patch: self != .undated
    case .dated: self == .dated
    }
  }

  /// Octets of a line that are read, and words of it.
  static let maxLine = 1_000
  private static let maxWords = 16

  private static let patchDate = ["Mon", "Sep", "17", "00:00:00", "2001"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isMonth(_ word: ArraySlice<UInt8>) -> Bool { months.contains { word.elementsEqual($0.utf8) } }

  /// `09:30` or `09:30:00`.
  private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    let numbers = word.split(separator: 0x3A, omittingEmptySubsequences: false)
    return (2...3).contains(numbers.count)
      && numbers.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy(ASCII.isDigit) }
  }

  private static func isYear(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 4 && (word.starts(with: "19".utf8) || word.starts(with: "20".utf8)) && word.allSatisfy(ASCII.isDigit)
  }

  private static func isHexadecimal(_ octet: UInt8) -> Bool { ASCII.isDigit(octet) || (0x61...0x66).contains(octet) }
}
