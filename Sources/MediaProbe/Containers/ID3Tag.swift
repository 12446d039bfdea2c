/// The ID3v2 tag of MP3 files.
enum ID3Tag {
  /// The end of the tag at `offset`; nil if there is no tag. In a truncated file the end may exceed the file size.
  static func end(_ reader: ByteReader, at offset: Int) -> Int? {
    guard reader.has("ID3", at: offset), let version = reader.u8(offset + 3), (2...4).contains(version),
      let revision = reader.u8(offset + 4), revision != 0xFF, let flags = reader.u8(offset + 5),
      let size = reader.u32be(offset + 6), size & 0x8080_8080 == 0
    else { return nil }
    // Seven bits per byte (syncsafe), so that no byte looks like an MPEG sync.
    let bytes = (size & 0x7F) | (size >> 8 & 0x7F) << 7 | (size >> 16 & 0x7F) << 14 | (size >> 24 & 0x7F) << 21
    return offset + 10 + Int(bytes) + (flags & 0x10 != 0 ? 10 : 0)
  }
}
