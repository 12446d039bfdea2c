#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Finds the parts of a multipart body (RFC 2046, section 5.1) in bytes as they arrive.
///
/// Pure, and bounded: it keeps at most one header block, and of a body only what may be the beginning of a boundary.
struct MultipartScanner {
  /// What the bytes are.
  enum Event: Hashable {
    /// A part begins, with these fields.
    case part([Field])
    /// Bytes of the part.
    case bytes([UInt8])
    /// All bytes of the part were reported.
    case partEnd
    /// The last part has ended.
    case end
  }

  /// A header field of a part; the name is in lower case.
  struct Field: Hashable {
    var name: String
    var value: String
  }

  /// Why a body is not a form.
  enum Failure: Error, Hashable {
    /// The boundary of the content type is missing, or is not one.
    case boundary
    /// More parts, fields, or bytes of fields or around the parts than are read.
    case tooMuch
    /// The body violates the syntax.
    case malformed
    /// The body ends before its last boundary.
    case truncated
  }

  /// Parts that are read.
  static let maxParts = 32
  /// Fields of a part that are read.
  static let maxFields = 16
  /// Bytes of the fields of a part, and of what precedes the first part.
  static let maxFieldBytes = 8_192

  private enum State { case preamble, boundary, fields, body, end }

  private let delimiter: [UInt8]
  private var state = State.preamble
  /// Begins with a line break, because the first boundary may have none before it.
  private var buffer: [UInt8] = [0x0d, 0x0a]
  private var start = 0
  private var skipped = 0
  private var parts = 0

  /// - Throws: ``Failure/boundary`` unless it has 1 to 70 of the characters of RFC 2046.
  init(boundary: String) throws(Failure) {
    let bytes = Array(boundary.utf8)
    guard (1...70).contains(bytes.count), bytes.allSatisfy(Self.isBoundary), bytes.last != 0x20 else {
      throw .boundary
    }
    delimiter = [0x0d, 0x0a, 0x2d, 0x2d] + bytes
  }

  /// Adds bytes that arrived. Take all events before adding more.
  mutating func add(_ bytes: some Collection<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next event; nil if it needs more bytes.
  mutating func next() throws(Failure) -> Event? {
    while true {
      switch state {
      case .preamble: guard try skipPreamble() else { return nil }
      case .boundary:
        guard let isLast = try passBoundary() else { return nil }
        state = isLast ? .end : .fields
        if isLast { return .end }
      case .fields:
        guard let fields = try takeFields() else { return nil }
        state = .body
        return .part(fields)
      case .body:
        guard let event = takeBytes() else { return nil }
        return event
      case .end:
        // What follows the last boundary means nothing.
        start = buffer.count
        return nil
      }
    }
  }

  /// Call when no more bytes come.
  func finish() throws(Failure) { if state != .end { throw .truncated } }

  private mutating func skipPreamble() throws(Failure) -> Bool {
    if let found = find(delimiter, from: start) {
      skipped += found - start
      start = found + delimiter.count
      state = .boundary
    } else {
      let kept = max(start, buffer.count - delimiter.count + 1)
      skipped += kept - start
      start = kept
    }
    guard skipped <= Self.maxFieldBytes else { throw .tooMuch }
    return state == .boundary
  }

  /// - Returns: Whether it is the last boundary; nil if bytes are missing.
  private mutating func passBoundary() throws(Failure) -> Bool? {
    var index = start
    guard buffer.count - index >= 2 else { return nil }
    if buffer[index] == 0x2d {
      guard buffer[index + 1] == 0x2d else { throw .malformed }
      start = index + 2
      return true
    }
    while index < buffer.count, buffer[index] == 0x20 || buffer[index] == 0x09 { index += 1 }
    guard index - start <= 64 else { throw .tooMuch }
    guard buffer.count - index >= 2 else { return nil }
    guard buffer[index] == 0x0d, buffer[index + 1] == 0x0a else { throw .malformed }
    parts += 1
    guard parts <= Self.maxParts else { throw .tooMuch }
    // The line break stays: an empty header block is then found like any other.
    start = index
    return false
  }

  private mutating func takeFields() throws(Failure) -> [Field]? {
    guard let end = find([0x0d, 0x0a, 0x0d, 0x0a], from: start) else {
      guard buffer.count - start <= Self.maxFieldBytes else { throw .tooMuch }
      return nil
    }
    guard end - start <= Self.maxFieldBytes else { throw .tooMuch }
    // Begins with the line break that ends the boundary's line.
    let lines = buffer[(start + min(2, end - start))..<end].split(separator: 0x0a, omittingEmptySubsequences: false)
    // The last two of the four bytes may begin the boundary of an empty part.
    start = end + 2
    isFirst = true
    if lines.count == 1, lines[0].isEmpty { return [] }
    var fields: [Field] = []
    for (index, whole) in lines.enumerated() {
      var line = whole
      // A line ends in both bytes; the last one is in front of the two that were found.
      if index + 1 < lines.count { guard line.popLast() == 0x0d else { throw .malformed } }
      guard let colon = line.firstIndex(of: 0x3a), colon > line.startIndex,
        line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !line.contains(0), !line.contains(0x0d)
      else { throw .malformed }
      guard fields.count < Self.maxFields else { throw .tooMuch }
      fields.append(
        Field(
          name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
          value: String(decoding: line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)))
    }
    return fields
  }

  /// Whether the line break that ends the header block has not been passed yet.
  private var isFirst = false

  private mutating func takeBytes() -> Event? {
    let found = find(delimiter, from: start)
    if isFirst {
      // An empty body: its boundary begins with the line break that ends the header block.
      guard buffer.count - start >= delimiter.count || found != nil else { return nil }
      isFirst = false
      if found != start { start += 2 }
    }
    if let found {
      if found > start {
        defer { start = found }
        return .bytes(Array(buffer[start..<found]))
      }
      start = found + delimiter.count
      state = .boundary
      return .partEnd
    }
    let end = buffer.count - delimiter.count + 1
    guard end > start else { return nil }
    defer { start = end }
    return .bytes(Array(buffer[start..<end]))
  }

  private func find(_ needle: [UInt8], from start: Int) -> Int? {
    buffer.withUnsafeBytes { haystack in
      needle.withUnsafeBytes { needle in
        guard let base = haystack.baseAddress, let what = needle.baseAddress, let first = needle.first else {
          return nil
        }
        var index = start
        // Both needles begin with a carriage return, which is rare in media.
        while haystack.count - index >= needle.count {
          let room = haystack.count - index - needle.count + 1
          guard let found = memchr(base + index, CInt(first), room) else { return nil }
          index = UnsafeRawPointer(found) - base
          if memcmp(base + index, what, needle.count) == 0 { return index }
          index += 1
        }
        return nil
      }
    }
  }

  private static func isBoundary(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "'()+_,-./:=? ".utf8.contains(byte)
    }
  }
}
