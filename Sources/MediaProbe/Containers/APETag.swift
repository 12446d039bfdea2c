/// The APEv2 tag at the end of a file, for its cover images.
///
/// libav reads it for WavPack and Monkey's Audio but not for MP3, where mp3gain and foobar2000 write it as well. See
/// the hydrogenaud.io wiki, "APEv2 specification".
struct APETag {
  /// Maximum number of items to read.
  private static let itemLimit = 256

  /// The byte range of the front cover, or else of the first cover; nil if there is none.
  let cover: Range<Int>?

  /// Nil if the file has no APEv2 tag.
  init?(_ reader: ByteReader) {
    // An ID3v1 tag of 128 bytes may follow.
    let ends = [reader.count, reader.count - 128]
    guard
      let end = ends.first(where: { end in
        reader.has("APETAGEX", at: end - 32) && (end == reader.count || reader.has("TAG", at: end))
      }),
      let size = reader.u32le(end - 20), let items = reader.u32le(end - 16), size >= 32, Int(size) <= end
    else { return nil }
    var covers: [(isFront: Bool, bytes: Range<Int>)] = []
    var offset = end - Int(size)
    for _ in 0..<min(Int(items), Self.itemLimit) {
      guard let item = Item(reader, at: offset, limit: end - 32) else { break }
      offset = item.value.upperBound
      if let image = item.image(reader) { covers.append((item.key == "cover art (front)", image)) }
    }
    cover = (covers.first(where: \.isFront) ?? covers.first)?.bytes
  }

  private struct Item {
    /// Lower-cased, because keys are compared case-insensitively.
    let key: String
    let isBinary: Bool
    let value: Range<Int>

    init?(_ reader: ByteReader, at offset: Int, limit: Int) {
      guard let length = reader.u32le(offset), let flags = reader.u32le(offset + 4) else { return nil }
      // A key has 2 to 255 characters and is NUL-terminated.
      let name = reader.bytes(offset + 8, 256)
      guard let end = name.firstIndex(of: 0), end >= 2 else { return nil }
      let start = offset + 8 + end + 1
      guard start <= limit, Int(length) <= limit - start else { return nil }
      key = String(decoding: name[..<end], as: UTF8.self).lowercased()
      isBinary = flags >> 1 & 3 == 1
      value = start..<start + Int(length)
    }

    /// The byte range of the image, which follows a NUL-terminated file name.
    func image(_ reader: ByteReader) -> Range<Int>? {
      guard isBinary, key.hasPrefix("cover art (") else { return nil }
      let name = reader.bytes(value.lowerBound, min(value.count, 512))
      guard let end = name.firstIndex(of: 0), end + 1 < value.count else { return nil }
      return value.lowerBound + end + 1..<value.upperBound
    }
  }
}
