/// The values of an IMAP response line (RFC 9051 §4) in one array: lists are linked, not nested, so that depth costs nothing.
struct IMAPList {
  enum Value: Equatable {
    case null
    /// An atom, a quoted string or a literal.
    case text([UInt8])
    case list(first: Int?)
  }

  private(set) var values: [Value] = []
  private var following: [Int?] = []
  /// The values outside of all lists.
  private(set) var top: [Int] = []

  /// Whether the line has more values than were read.
  private(set) var isCut = false

  /// Reads a line. What does not end, ends with the line.
  /// - Parameter maxValues: How many values are read: each takes thirty times the memory of its octet.
  init(_ line: [UInt8], maxValues: Int) {
    // Open lists, with the last value of each.
    var open: [(list: Int, last: Int?)] = []
    var offset = 0
    while offset < line.count {
      guard values.count < maxValues else {
        isCut = true
        return
      }
      switch line[offset] {
      case 0x28:
        open.append((append(.list(first: nil), to: &open), nil))
        offset += 1
      case 0x29:
        _ = open.popLast()
        offset += 1
      case ASCII.quote:
        let (octets, end) = Self.quoted(line, at: offset)
        _ = append(.text(octets), to: &open)
        offset = end
      case _ where ASCII.isSpace(line[offset]): offset += 1
      default:
        if let (octets, end) = Self.literal(line, at: offset) {
          _ = append(.text(octets), to: &open)
          offset = end
          continue
        }
        let start = offset
        while offset < line.count, !ASCII.isSpace(line[offset]), line[offset] != 0x28, line[offset] != 0x29 {
          offset += 1
        }
        let atom = Array(line[start..<offset])
        _ = append(atom.map(ASCII.lower).elementsEqual("nil".utf8) ? .null : .text(atom), to: &open)
      }
    }
  }

  private mutating func append(_ value: Value, to open: inout [(list: Int, last: Int?)]) -> Int {
    let index = values.count
    values.append(value)
    following.append(nil)
    guard let last = open.indices.last else {
      top.append(index)
      return index
    }
    if let previous = open[last].last {
      following[previous] = index
    } else {
      values[open[last].list] = .list(first: index)
    }
    open[last].last = index
    return index
  }

  /// The values of a list; empty for another value.
  func elements(of index: Int) -> [Int] {
    guard values.indices.contains(index), case .list(let first) = values[index] else { return [] }
    var result: [Int] = []
    var next = first
    while let index = next {
      result.append(index)
      next = following[index]
    }
    return result
  }

  func isList(_ index: Int) -> Bool { if case .list = values[index] { true } else { false } }

  func text(_ index: Int) -> [UInt8]? { if case .text(let octets) = values[index] { octets } else { nil } }

  /// A quoted string. Servers forget to escape quotes: one that no separator follows is part of the text.
  private static func quoted(_ line: [UInt8], at start: Int) -> ([UInt8], Int) {
    var result: [UInt8] = []
    var offset = start + 1
    while offset < line.count {
      let octet = line[offset]
      if octet == ASCII.quote, offset + 1 == line.count || [0x20, 0x28, 0x29, 0x0D, 0x0A].contains(line[offset + 1]) {
        return (result, offset + 1)
      }
      if octet == ASCII.backslash, offset + 1 < line.count { offset += 1 }
      result.append(line[offset])
      offset += 1
    }
    return (result, line.count)
  }

  /// `{5}`, `{5+}` or `~{5}`, a line break, and as many octets, or those that are there.
  private static func literal(_ line: [UInt8], at start: Int) -> ([UInt8], Int)? {
    var offset = line[start] == 0x7E ? start + 1 : start
    guard offset < line.count, line[offset] == 0x7B else { return nil }
    let digits = line[(offset + 1)...].prefix(19).prefix(while: ASCII.isDigit)
    guard let count = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    offset = digits.endIndex
    if offset < line.count, line[offset] == 0x2B { offset += 1 }
    guard offset < line.count, line[offset] == 0x7D else { return nil }
    offset += 1
    if offset < line.count, line[offset] == ASCII.carriageReturn { offset += 1 }
    guard offset < line.count, line[offset] == ASCII.lineFeed else { return nil }
    offset += 1
    let end = offset + min(count, line.count - offset)
    return (Array(line[offset..<end]), end)
  }
}
