/// An APEv2 tag at the end of a file, for the covers in it. libav reads them behind WavPack and Monkey's Audio, not behind MP3, where mp3gain
/// and foobar2000 write them too.
///
/// hydrogenaud.io wiki, "APEv2 specification".
struct APETag {
  /// Items that are looked at.
  private static let itemLimit = 256

  /// Where the image of the front cover stands, if there is one, else that of the first cover.
  let cover: Range<Int>?

  /// nil when there is no tag.
  init?(_ reader: ByteReader) {
    // An ID3v1 tag of 128 bytes may stand behind it.
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
    /// In lower case: keys are compared so.
    let key: String
    let isBinary: Bool
    let value: Range<Int>

    init?(_ reader: ByteReader, at offset: Int, limit: Int) {
      guard let length = reader.u32le(offset), let flags = reader.u32le(offset + 4) else { return nil }
      // A key has 2 to 255 characters, and a zero behind it.
      let name = reader.bytes(offset + 8, 256)
      guard let end = name.firstIndex(of: 0), end >= 2 else { return nil }
      let start = offset + 8 + end + 1
      guard start <= limit, Int(length) <= limit - start else { return nil }
      key = String(decoding: name[..<end], as: UTF8.self).lowercased()
      isBinary = flags >> 1 & 3 == 1
      value = start..<start + Int(length)
    }

    /// The bytes behind the name of an image's file.
    func image(_ reader: ByteReader) -> Range<Int>? {
      guard isBinary, key.hasPrefix("cover art (") else { return nil }
      let name = reader.bytes(value.lowerBound, min(value.count, 512))
      guard let end = name.firstIndex(of: 0), end + 1 < value.count else { return nil }
      return value.lowerBound + end + 1..<value.upperBound
    }
  }
}
