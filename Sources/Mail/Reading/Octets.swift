#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The octets of a mail with checked reads: outside of them everything is 0. They are in memory, or a window moves over their source.
struct Octets {
  private let memory: UnsafeBufferPointer<UInt8>
  private let window: OctetWindow?

  let count: Int

  init(_ memory: UnsafeBufferPointer<UInt8>) { (self.memory, window, count) = (memory, nil, memory.count) }

  init(_ source: MailStructure.Source) {
    (memory, window, count) = (UnsafeBufferPointer(start: nil, count: 0), OctetWindow(source), source.count)
  }

  /// Calls a closure with the octets of a collection, which are not copied if they are contiguous.
  static func with<Result>(_ octets: some Collection<UInt8>, _ body: (Octets) -> Result) -> Result {
    let result = octets.withContiguousStorageIfAvailable { body(Octets($0)) }
    return result ?? Array(octets).withUnsafeBufferPointer { body(Octets($0)) }
  }

  @inline(__always)
  subscript(_ offset: Int) -> UInt8 {
    guard offset >= 0, offset < count else { return 0 }
    return window.map { $0[offset] } ?? memory[offset]
  }

  /// The octets of a range, clamped.
  subscript(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.clamped(to: 0..<count).count)
    forEachPiece(of: range) {
      result += $0
      return true
    }
    return result
  }

  /// Calls a closure with pieces of at most 64 KiB of a range, clamped, in their order, until it returns false. It must not read other octets.
  func forEachPiece(of range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
    let range = range.clamped(to: 0..<count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let length = min(range.upperBound - offset, 65_536)
      let piece = window?.piece(from: offset) ?? UnsafeBufferPointer(rebasing: memory[offset..<offset + length])
      guard body(UnsafeBufferPointer(rebasing: piece.prefix(length))) else { return }
      offset += min(piece.count, length)
    }
  }

  /// Offset after the next LF, or the end.
  @inline(__always)
  func lineEnd(from offset: Int) -> Int { first(0x0A, in: offset..<max(offset, count)).map { $0 + 1 } ?? count }

  /// Offset of an octet in a range.
  @inline(__always)
  func first(_ octet: UInt8, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    guard window == nil else { return firstInWindows(octet, in: range) }
    guard let base = memory.baseAddress, !range.isEmpty,
      let found = memchr(base + range.lowerBound, Int32(octet), range.count)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: found)
  }

  private func firstInWindows(_ octet: UInt8, in range: Range<Int>) -> Int? {
    guard let window else { return nil }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = window.piece(from: offset)
      let length = min(piece.count, range.upperBound - offset)
      guard let base = piece.baseAddress else { return nil }
      if let found = memchr(base, Int32(octet), length) { return offset + UnsafeRawPointer(base).distance(to: found) }
      offset += length
    }
    return nil
  }

  /// The offset before the CRLF or LF that ends at an offset.
  func withoutLineBreak(before offset: Int) -> Int {
    guard self[offset - 1] == 0x0A else { return offset }
    return self[offset - 2] == 0x0D ? offset - 2 : offset - 1
  }

  func equal(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
    range.count == other.count && other.indices.allSatisfy { self[range.lowerBound + $0] == other[$0] }
  }

  func hasPrefix(_ prefix: StaticString, at offset: Int) -> Bool {
    prefix.withUTF8Buffer { prefix in prefix.indices.allSatisfy { self[offset + $0] == prefix[$0] } }
  }
}

/// ASCII by name.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let dash: UInt8 = 0x2D
  static let backslash: UInt8 = 0x5C

  @inline(__always)
  static func isSpace(_ octet: UInt8) -> Bool {
    octet == space || octet == tab || octet == lineFeed || octet == carriageReturn
  }
  @inline(__always)
  static func lower(_ octet: UInt8) -> UInt8 { octet >= 0x41 && octet <= 0x5A ? octet | 0x20 : octet }
  @inline(__always)
  static func isDigit(_ octet: UInt8) -> Bool { octet >= 0x30 && octet <= 0x39 }
  @inline(__always)
  static func isLetter(_ octet: UInt8) -> Bool { lower(octet) >= 0x61 && lower(octet) <= 0x7A }
}
