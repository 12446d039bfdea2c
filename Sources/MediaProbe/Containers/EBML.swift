/// Reads the two numbers at the start of every EBML element (RFC 8794, sections 4 and 5).
enum EBML {
  /// The element ID, including its length marker.
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

  /// The size of the element's data. The value is nil if the size is unknown (all ones), as in a live recording.
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
