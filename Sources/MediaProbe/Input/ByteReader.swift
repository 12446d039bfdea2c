internal import ISOBaseMedia
internal import MediaModel

/// Random access to the bytes of a file for header readers. Numbers, slices and signatures past the end are nil.
///
/// It caches a few windows of the file. The first is 64 KiB, so that an ordinary header costs one `pread`. A jump reads
/// 4 KiB, so that skipping from chunk to chunk does not read the chunks. Continuing from there doubles the window up to
/// 64 KiB.
///
/// A read error is kept in ``failure`` and ends reading. Header readers therefore never throw or trap: missing data is
/// nil.
final class ByteReader {
  static let windowSize = 65_536
  static let jumpSize = 4_096
  /// Number of cached windows. The first one, which holds the header, is never evicted.
  private static let windowLimit = 6
  /// Size in bytes of the range that this reader sees: the whole file or a part of it.
  let count: Int
  /// The first read error or timeout.
  private(set) var failure: MediaFailure?

  private let load: (_ offset: Int, _ count: Int) throws(MediaFailure) -> [UInt8]
  private var windows: [(start: Int, bytes: [UInt8])] = []
  private var current: (start: Int, bytes: [UInt8]) = (0, [])
  private var lastPeek = 0

  /// Creates a reader over a closure that returns up to `count` bytes from an offset.
  init(count: Int, load: @escaping (_ offset: Int, _ count: Int) throws(MediaFailure) -> [UInt8]) {
    self.count = count
    self.load = load
  }

  /// Creates a reader over bytes in memory: a single window that holds everything.
  init(_ bytes: [UInt8]) {
    count = bytes.count
    load = { (_, _) throws(MediaFailure) in [] }
    current = (0, bytes)
    windows = [current]
  }

  /// Creates a reader that joins ranges of another reader, which are read on demand.
  convenience init(_ pieces: [Range<Int>], of reader: ByteReader) {
    self.init(count: pieces.reduce(0) { $0 + $1.count }) { (offset, count) throws(MediaFailure) in
      var result: [UInt8] = []
      var start = 0
      for piece in pieces where result.count < count {
        // Offset of the next requested byte in this range.
        let inside = offset + result.count - start
        if inside < piece.count {
          let wanted = min(piece.count - inside, count - result.count)
          let found = reader.bytes(piece.lowerBound + inside, wanted)
          result += found
          if found.count < wanted { break }
        }
        start += piece.count
      }
      return result
    }
  }

  /// The byte at an offset from the start of the file; nil past its end.
  func u8(_ offset: Int) -> UInt8? {
    let relative = offset &- current.start
    if relative >= 0, relative < current.bytes.count { return current.bytes[relative] }
    guard offset >= 0, offset < count, select(offset) else { return nil }
    return current.bytes[offset - current.start]
  }

  /// Up to `length` bytes from `offset`: fewer at the end of the file, none past it.
  func bytes(_ offset: Int, _ length: Int) -> [UInt8] {
    // Small records are close together and share a window. Long ones are read directly.
    bytes(offset, length, keepingWindow: length <= 512 || windows.isEmpty && offset < Self.windowSize / 2)
  }

  /// Like ``bytes(_:_:)``, without reading ahead: for the headers of chunks that are skipped. Where they are close
  /// together, a window is cheaper and is used.
  func peek(_ offset: Int, _ length: Int) -> [UInt8] {
    defer { lastPeek = offset }
    return bytes(offset, length, keepingWindow: windows.isEmpty || (0..<Self.jumpSize).contains(offset &- lastPeek))
  }

  private func bytes(_ offset: Int, _ length: Int, keepingWindow: Bool) -> [UInt8] {
    guard offset >= 0, length > 0, offset < count, failure == nil else { return [] }
    let end = offset + min(length, count - offset)
    func isLoaded(_ window: (start: Int, bytes: [UInt8])) -> Bool {
      window.start <= offset && end - window.start <= window.bytes.count
    }
    if !isLoaded(current) {
      if let index = windows.firstIndex(where: isLoaded) {
        current = windows[index]
      } else if keepingWindow {
        _ = select(offset)
      }
    }
    if isLoaded(current) { return Array(current.bytes[offset - current.start..<end - current.start]) }
    do { return try load(offset, end - offset) } catch {
      if failure == nil { failure = error }
      return []
    }
  }

  /// Exactly `length` bytes from `offset`; nil if the file ends first.
  func slice(_ offset: Int, _ length: Int) -> [UInt8]? {
    guard length >= 0, offset >= 0, offset <= count, length <= count - offset else { return nil }
    let found = bytes(offset, length)
    return found.count == length ? found : nil
  }

  /// Selects the window that contains `offset`, which must be inside the file, and reads it if necessary.
  private func select(_ offset: Int) -> Bool {
    guard failure == nil else { return false }
    if let index = windows.firstIndex(where: { $0.start <= offset && offset - $0.start < $0.bytes.count }) {
      current = windows[index]
      return true
    }
    // Sequential access or a jump?
    let distance = offset - (current.start + current.bytes.count)
    let goesOn = distance >= 0 && distance < current.bytes.count
    let length =
      windows.isEmpty ? Self.windowSize : goesOn ? min(Self.windowSize, 2 * current.bytes.count) : Self.jumpSize
    // Start slightly earlier, for readers that look back a few bytes.
    let start = windows.isEmpty && offset < Self.windowSize ? 0 : offset / 256 * 256
    do {
      let bytes = try load(start, length)
      guard offset - start < bytes.count else { return false }
      if windows.count == Self.windowLimit { windows.remove(at: 1) }
      current = (start, bytes)
      windows.append(current)
      return true
    } catch {
      failure = error
      return false
    }
  }

  fileprivate func number(_ offset: Int, _ width: Int, bigEndian: Bool) -> UInt64? {
    var value: UInt64 = 0
    let relative = offset &- current.start
    if relative >= 0, relative <= current.bytes.count - width {
      for index in 0..<width {
        value = value << 8 | UInt64(current.bytes[relative + (bigEndian ? index : width - 1 - index)])
      }
      return value
    }
    for index in 0..<width {
      guard let byte = u8(offset &+ index) else { return nil }
      value |= UInt64(byte) << UInt64(8 * (bigEndian ? width - 1 - index : index))
    }
    return value
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

  /// An unsigned number of 0…8 bytes, big-endian by default; `Int.max` on overflow. A number of 0 bytes is 0.
  func unsigned(_ offset: Int, width: Int, bigEndian: Bool = true) -> Int? {
    guard (0...8).contains(width) else { return nil }
    return number(offset, width, bigEndian: bigEndian).map { Int(clamping: $0) }
  }

  /// Whether the ASCII text is at `offset`.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where u8(offset &+ index) != text.utf8Start[index] { return false }
    return true
  }

  /// Four characters as a number, for a `switch` over chunk and box names.
  func fourCC(_ offset: Int) -> FourCC? { u32be(offset).map(FourCC.init(rawValue:)) }
}

extension ByteReader: Box.Source {
  /// The big-endian number of 1 to 8 bytes at an offset; nil past the end.
  func number(at offset: Int, bytes: Int) -> UInt64? {
    (0...8).contains(bytes) ? number(offset, bytes, bigEndian: true) : nil
  }
}
