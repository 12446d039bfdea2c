/// The two numbers that begin every EBML element (RFC 8794, sections 4 and 5).
enum EBML {
  /// The element's name, its length marker included.
  static func identifier(_ reader: ByteReader, at offset: Int) -> (value: UInt32, width: Int)? {
    guard let first = reader.u8(offset), first >= 0x10 else { return nil }
    let width = first.leadingZeroBitCount + 1
    var value: UInt32 = 0
    for index in 0..<width {
      guard let byte = reader.u8(offset &+ index) else { return nil }
      value = value << 8 | UInt32(byte)
    }
    return (value, width)
  }

  /// The element's size; nil as value when it is unknown (all bits one), as in a live recording.
  static func size(_ reader: ByteReader, at offset: Int) -> (value: Int?, width: Int)? {
    guard let first = reader.u8(offset), first != 0 else { return nil }
    let width = first.leadingZeroBitCount + 1
    var value = UInt64(first) & (0xFF >> UInt64(width))
    for index in 1..<max(width, 1) {
      guard let byte = reader.u8(offset &+ index) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    let unknown = value == (UInt64(1) << UInt64(7 * width)) - 1
    return (unknown ? nil : Int(value), width)
  }
}
