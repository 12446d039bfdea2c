internal import ISOBaseMedia

/// JPEG XL, as a codestream (ISO/IEC 18181-1) or in a container (18181-2): keeps the codestream, which has the orientation and the color profile, and drops
/// Exif, XMP and the data with which a JPEG is restored.
enum JPEGXLFile {
  /// Nil for a damaged file, and for one with a preview, which is a part of the codestream. A codestream without a container has no other metadata.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    if file.starts(with: [0xFF, 0x0A]) { return JPEGXLHeader.hasPreview(file[...]) == false ? file : nil }
    var image = MovieFile(file)
    do throws(MovieFile.Malformed) {
      let boxes = try image.keep(["JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp"], in: 0..<file.count)
      let start = try codestreamStart(boxes.filter { ["jxlc", "jxlp"].contains($0.type) }, in: image)
      guard JPEGXLHeader.hasPreview(start[...]) == false else { return nil }
    } catch {
      return nil
    }
    return image.stripped
  }

  /// The first bytes of the codestream, which is one box, or parts with a number each, of which the last one has the highest bit set.
  private static func codestreamStart(
    _ boxes: [Box], in image: MovieFile
  ) throws(MovieFile.Malformed) -> [UInt8] {
    if boxes.count == 1, let box = boxes.first, box.type == "jxlc" {
      return Array(image.file[box.body].prefix(JPEGXLHeader.maxBytes))
    }
    guard !boxes.isEmpty else { throw MovieFile.Malformed() }
    var start: [UInt8] = []
    for (index, box) in boxes.enumerated() {
      let last = index == boxes.count - 1 ? 1 << 31 : 0
      guard box.type == "jxlp", try image.number(box.body, 0, 4) == index | last else { throw MovieFile.Malformed() }
      let part = try image.behind(4, box.body)
      start += image.file[part].prefix(JPEGXLHeader.maxBytes - start.count)
    }
    return start
  }
}

/// The beginning of a codestream, in bits from the lowest one of each byte (ISO/IEC 18181-1, annex D).
private struct JPEGXLHeader {
  /// More bytes than the fields up to the preview can have.
  static let maxBytes = 64

  private struct Ended: Error {}

  private let bytes: ArraySlice<UInt8>
  /// Bits that were read, of the signature too.
  private var position = 16

  /// Whether a codestream has a preview; nil if it is damaged.
  static func hasPreview(_ codestream: ArraySlice<UInt8>) -> Bool? {
    guard codestream.starts(with: [0xFF, 0x0A]) else { return nil }
    var header = JPEGXLHeader(bytes: codestream)
    do throws(Ended) { return try header.readPreview() } catch { return nil }
  }

  private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  private mutating func readPreview() throws(Ended) -> Bool {
    try skipSize()
    // All fields have their defaults.
    if try bits(1) == 1 { return false }
    // Neither orientation, intrinsic size, preview nor animation.
    guard try bits(1) == 1 else { return false }
    _ = try bits(3)
    if try bits(1) == 1 { try skipSize() }
    return try bits(1) == 1
  }

  /// Reads a size: the height, then its ratio to the width, or the width.
  private mutating func skipSize() throws(Ended) {
    let isSmall = try bits(1) == 1
    try skipLength(isSmall)
    if try bits(3) == 0 { try skipLength(isSmall) }
  }

  private mutating func skipLength(_ isSmall: Bool) throws(Ended) {
    if isSmall {
      _ = try bits(5)
    } else {
      let size = try bits(2)
      _ = try bits([9, 13, 18, 30][size])
    }
  }

  private mutating func bits(_ count: Int) throws(Ended) -> Int {
    var value = 0
    for bit in 0..<count {
      guard position / 8 < bytes.count else { throw Ended() }
      value |= Int(bytes[bytes.startIndex + position / 8] >> UInt8(position % 8) & 1) << bit
      position += 1
    }
    return value
  }
}
