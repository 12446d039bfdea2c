/// Whether a text that arrives in pieces has a line with which uuencode or yEnc begins.
struct TextFileMarks {
  private static let lines = [Array("begin ".utf8), Array("=ybegin ".utf8)]

  /// Whether there is such a line.
  private(set) var areFound = false
  /// The end of the last piece: a line may begin there. The text begins with a line.
  private var rest: [UInt8] = [ASCII.lineFeed]

  mutating func take(_ piece: [UInt8]) {
    guard !areFound else { return }
    let octets = rest + piece
    var start = octets.startIndex
    while let end = octets[start...].firstIndex(of: ASCII.lineFeed) {
      start = end + 1
      if Self.lines.contains(where: { octets[start...].starts(with: $0) }) {
        areFound = true
        return
      }
    }
    // A line feed and all but one octet of the longest mark.
    rest = Array(octets.suffix(8))
  }
}
