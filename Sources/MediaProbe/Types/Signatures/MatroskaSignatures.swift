internal import MediaModel

/// EBML (RFC 8794) with the document types of Matroska and WebM (RFC 9559).
enum MatroskaSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    guard reader.u32be(0) == 0x1A45_DFA3, let header = EBML.size(reader, at: 4) else { return nil }
    var offset = 4 + header.width
    let end = min(reader.count, offset + (header.value ?? 4_096))
    // An EBML header has eight elements.
    for _ in 0..<32 where offset < end {
      guard let name = EBML.identifier(reader, at: offset),
        let size = EBML.size(reader, at: offset + name.width), let length = size.value
      else { break }
      let content = offset + name.width + size.width
      if name.value == 0x4282 {
        return reader.bytes(content, min(length, 32)).prefix { $0 != 0 }.elementsEqual("webm".utf8) ? .webm : .matroska
      }
      guard length <= reader.count - content else { break }
      offset = content + length
    }
    // RFC 8794, 11.2.6: without a document type it is no Matroska; players take it for one all the same.
    return .matroska
  }
}

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
