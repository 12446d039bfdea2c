/// Comma-separated values (RFC 4180): every line of the sample has the same number of fields, separated by commas,
/// semicolons or tabs.
enum CSVSignature {
  static func matches(_ sample: TextSample) -> Bool {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    return candidates.contains { matches(sample.bytes, separator: $0, isWhole: sample.isWhole) }
  }

  private static func matches(_ bytes: [UInt8], separator: UInt8, isWhole: Bool) -> Bool {
    var expected = 0
    var lines = 0
    var separators = 0
    var spaced = 0
    var inQuotes = false
    var lineHasContent = false
    /// Ends a line; false if its field count differs from the first line's.
    func endLine() -> Bool {
      defer { (separators, lineHasContent) = (0, false) }
      guard lineHasContent else { return true }
      if lines == 0 { expected = separators }
      lines += 1
      return separators > 0 && separators == expected
    }
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") {
        inQuotes.toggle()
      } else if inQuotes {
        continue
      } else if byte == separator {
        separators += 1
        if index + 1 < bytes.count, bytes[index + 1] == 0x20 { spaced += 1 }
      } else if byte == 0x0A {
        guard endLine() else { return false }
        if lines == 1_000 { break }
      }
      if byte != 0x0A, byte != 0x0D { lineHasContent = true }
    }
    // The last line counts only if the file ends there; the sample may be cut inside it.
    if isWhole, !endLine() { return false }
    // Prose has a space after a comma, and tabs for indents: few columns need more evidence.
    let total = expected * lines
    return lines >= 2 && !inQuotes && (expected >= 2 || lines >= 3) && spaced * 2 <= total
  }
}
