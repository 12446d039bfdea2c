/// Decodes uuencoded text piece by piece: the lines between `begin 644 name` and `end` (POSIX uuencode).
struct UUDecoder: Hashable, Codable {
  private enum State: Hashable, Codable { case before, inside, after }

  /// Octets of a line that are kept. A line has at most 61 characters; what is longer has no more content.
  static let maxLine = 256

  private var state = State.before
  private var line: [UInt8] = []

  mutating func feed(_ piece: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for octet in piece where state != .after {
      if octet == ASCII.lineFeed {
        endLine(&result)
      } else if line.count < Self.maxLine {
        line.append(octet)
      }
    }
    return result
  }

  mutating func finish() -> [UInt8] {
    var result: [UInt8] = []
    endLine(&result)
    self = UUDecoder()
    return result
  }

  private mutating func endLine(_ result: inout [UInt8]) {
    if line.last == ASCII.carriageReturn { line.removeLast() }
    switch state {
    case .before: if UULine.isBegin(line[...]) { state = .inside }
    case .inside:
      if UULine.isEnd(line[...]) { state = .after } else { UULine.decode(line[...], into: &result) }
    case .after: break
    }
    line.removeAll(keepingCapacity: true)
  }
}

/// One line of uuencoded text, without its line break.
enum UULine {
  /// `begin`, three or four octal digits, and a name.
  static func isBegin(_ line: ArraySlice<UInt8>) -> Bool { name(line) != nil }

  /// The name in a line `begin 644 name`; nil for another line.
  static func name(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.starts(with: "begin ".utf8) else { return nil }
    let rest = line.dropFirst(6)
    let mode = rest.prefix { $0 >= 0x30 && $0 <= 0x37 }
    guard (3...4).contains(mode.count), rest.dropFirst(mode.count).first == ASCII.space else { return nil }
    let name = rest.dropFirst(mode.count).drop(while: ASCII.isSpace)
    return name.isEmpty ? nil : name
  }

  static func isEnd(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "end".utf8) && line.dropFirst(3).allSatisfy(ASCII.isSpace)
  }

  /// Whether a line can be content: its first character counts the octets, and enough characters follow.
  ///
  /// Mail programs remove spaces at the end of a line, which are zeros; so up to the last group may be missing.
  static func isContent(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first else { return true }
    guard (0x20...0x60).contains(first) else { return false }
    let characters = (count(first) + 2) / 3 * 4
    return line.count <= characters + 3 && line.allSatisfy { (0x20...0x60).contains($0) }
  }

  private static func count(_ first: UInt8) -> Int { Int((first &- 0x20) & 0x3F) }

  static func decode(_ line: ArraySlice<UInt8>, into result: inout [UInt8]) {
    guard let first = line.first, (0x20...0x60).contains(first) else { return }
    var left = count(first)
    var characters = line.dropFirst().makeIterator()
    while left > 0 {
      var group: UInt32 = 0
      // Characters that are missing are spaces, which are zeros.
      for _ in 0..<4 { group = group << 6 | UInt32(((characters.next() ?? 0x20) &- 0x20) & 0x3F) }
      for shift in [16, 8, 0] where left > 0 {
        result.append(UInt8(truncatingIfNeeded: group >> UInt32(shift)))
        left -= 1
      }
    }
  }
}
