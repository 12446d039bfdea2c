#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The octets of a mail with checked reads: outside of them everything is 0.
struct Octets {
  private let memory: UnsafeBufferPointer<UInt8>

  init(_ memory: UnsafeBufferPointer<UInt8>) { self.memory = memory }

  var count: Int { memory.count }

  @inline(__always)
  subscript(_ offset: Int) -> UInt8 { offset >= 0 && offset < memory.count ? memory[offset] : 0 }

  /// The octets of a range, clamped.
  subscript(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: memory[range.clamped(to: 0..<memory.count)])
  }

  /// Offset after the next LF, or the end.
  @inline(__always)
  func lineEnd(from offset: Int) -> Int { first(0x0A, in: offset..<max(offset, count)).map { $0 + 1 } ?? count }

  /// Offset of an octet in a range.
  @inline(__always)
  func first(_ octet: UInt8, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<memory.count)
    guard let base = memory.baseAddress, !range.isEmpty,
      let found = memchr(base + range.lowerBound, Int32(octet), range.count)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: found)
  }

  /// The offset before the CRLF or LF that ends at an offset.
  func withoutLineBreak(before offset: Int) -> Int {
    guard self[offset - 1] == 0x0A else { return offset }
    return self[offset - 2] == 0x0D ? offset - 2 : offset - 1
  }

  func equal(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
    let mine = self[range]
    guard mine.count == other.count, let base = mine.baseAddress else { return mine.count == other.count }
    return other.withUnsafeBytes { $0.baseAddress.map { memcmp(base, $0, mine.count) == 0 } ?? true }
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
