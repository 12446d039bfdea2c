internal import MediaModel

/// Random access to the bytes of a file for the header readers: numbers, slices and signatures, each absent past the end.
///
/// Keeps a few windows of the file, so that walking a header costs one `pread`, and walking a long file one for each
/// 64 KiB. An input error ends reading and stays in ``failure``. A header reader therefore never throws and never traps: what is
/// not there is nil.
final class ByteReader {
  static let windowSize = 65_536
  /// Bytes of the file that this reader sees: the whole file, or a part of it.
  let count: Int
  /// The first input error or passed deadline.
  private(set) var failure: MediaFailure?

  private let load: (_ offset: Int, _ count: Int) throws(MediaFailure) -> [UInt8]
  private var windows: [(start: Int, bytes: [UInt8])] = []
  private var current: (start: Int, bytes: [UInt8]) = (0, [])

  /// A reader over a closure that gives up to `count` bytes from an offset.
  init(count: Int, load: @escaping (_ offset: Int, _ count: Int) throws(MediaFailure) -> [UInt8]) {
    self.count = count
    self.load = load
  }

  /// A reader over bytes in memory.
  convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { (offset, count) throws(MediaFailure) in
      Array(bytes[min(offset, bytes.count)..<min(bytes.count, offset + count)])
    }
  }

  /// The byte at `offset`.
  func u8(_ offset: Int) -> UInt8? {
    let relative = offset &- current.start
    if relative >= 0, relative < current.bytes.count { return current.bytes[relative] }
    guard offset >= 0, offset < count, select(offset) else { return nil }
    return current.bytes[offset - current.start]
  }

  /// Up to `length` bytes from `offset`: fewer at the end of the file, none past it.
  func bytes(_ offset: Int, _ length: Int) -> [UInt8] {
    guard offset >= 0, length > 0, offset < count else { return [] }
    let length = min(length, count - offset)
    let relative = offset - current.start
    if relative >= 0, relative + length <= current.bytes.count {
      return Array(current.bytes[relative..<relative + length])
    }
    if length <= Self.windowSize / 2, select(offset), offset - current.start + length <= current.bytes.count {
      return Array(current.bytes[offset - current.start..<offset - current.start + length])
    }
    do { return try load(offset, length) } catch {
      if failure == nil { failure = error }
      return []
    }
  }

  /// Exactly `length` bytes from `offset`; nil when the file ends before.
  func slice(_ offset: Int, _ length: Int) -> [UInt8]? {
    guard length >= 0, offset >= 0, offset <= count, length <= count - offset else { return nil }
    let found = bytes(offset, length)
    return found.count == length ? found : nil
  }

  /// Makes the window around `offset` the current one.
  private func select(_ offset: Int) -> Bool {
    guard failure == nil else { return false }
    if let index = windows.firstIndex(where: { $0.start <= offset && offset < $0.start + $0.bytes.count }) {
      current = windows[index]
      return true
    }
    do {
      // Windows begin at multiples of half their size, so that neighbours overlap a small record across an edge.
      let start = offset / (Self.windowSize / 2) * (Self.windowSize / 2)
      let bytes = try load(start, Self.windowSize)
      guard offset < start + bytes.count else { return false }
      if windows.count == 4 { windows.removeFirst() }
      current = (start, bytes)
      windows.append(current)
      return true
    } catch {
      failure = error
      return false
    }
  }
}

extension ByteReader {
  func u16be(_ offset: Int) -> UInt16? { number(offset, 2, bigEndian: true).map { UInt16(truncatingIfNeeded: $0) } }
  func u16le(_ offset: Int) -> UInt16? { number(offset, 2, bigEndian: false).map { UInt16(truncatingIfNeeded: $0) } }
  func u24be(_ offset: Int) -> UInt32? { number(offset, 3, bigEndian: true).map { UInt32(truncatingIfNeeded: $0) } }
  func u24le(_ offset: Int) -> UInt32? { number(offset, 3, bigEndian: false).map { UInt32(truncatingIfNeeded: $0) } }
  func u32be(_ offset: Int) -> UInt32? { number(offset, 4, bigEndian: true).map { UInt32(truncatingIfNeeded: $0) } }
  func u32le(_ offset: Int) -> UInt32? { number(offset, 4, bigEndian: false).map { UInt32(truncatingIfNeeded: $0) } }
  func u64be(_ offset: Int) -> UInt64? { number(offset, 8, bigEndian: true) }
  func u64le(_ offset: Int) -> UInt64? { number(offset, 8, bigEndian: false) }

  /// Whether the ASCII text stands at `offset`.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where u8(offset &+ index) != text.utf8Start[index] { return false }
    return true
  }

  /// Four characters as a number, for a `switch` over chunk and box names.
  func fourCC(_ offset: Int) -> FourCC? { u32be(offset).map(FourCC.init(rawValue:)) }

  private func number(_ offset: Int, _ width: Int, bigEndian: Bool) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<width {
      guard let byte = u8(offset &+ (bigEndian ? index : width - 1 - index)) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value
  }
}

/// A four-character code: the name of a chunk or box.
struct FourCC: RawRepresentable, Hashable, ExpressibleByStringLiteral {
  let rawValue: UInt32
  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(stringLiteral text: StaticString) {
    var value: UInt32 = 0
    for index in 0..<min(4, text.utf8CodeUnitCount) { value = value << 8 | UInt32(text.utf8Start[index]) }
    rawValue = value
  }
  /// The four characters; non-ASCII bytes as `?`.
  var text: String {
    String(
      decoding: (0..<4).map { i -> UInt8 in
        let byte = UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * UInt32(i)))
        return byte >= 0x20 && byte < 0x7F ? byte : 0x3F
      }, as: UTF8.self)
  }
}
