internal import MediaModel

/// Little-endian access to the bytes of a small legacy format; reads past the end give nothing.
struct BitmapBytes {
  let bytes: UnsafeRawBufferPointer
  /// Returns whether the deadline has passed.
  var isLate: () -> Bool = { false }

  /// - Throws: `timedOut`. Checks only every 256th row.
  func checkDeadline(_ row: Int) throws(MediaFailure) {
    if row % 256 == 0, isLate() { throw .timedOut() }
  }

  func u8(_ offset: Int) -> Int? { bytes.indices.contains(offset) ? Int(bytes[offset]) : nil }
  func u16(_ offset: Int) -> Int? { number(offset, 2) }
  func u32(_ offset: Int) -> Int? { number(offset, 4) }
  func s32(_ offset: Int) -> Int? { number(offset, 4).map { Int(Int32(truncatingIfNeeded: $0)) } }

  /// Up to `length` bytes from an offset; fewer or none at the end.
  func slice(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer {
    guard offset >= 0, offset <= bytes.count, length > 0 else { return UnsafeRawBufferPointer(rebasing: bytes[0..<0]) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + min(length, bytes.count - offset)])
  }

  private func number(_ offset: Int, _ length: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - length else { return nil }
    return (0..<length).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
