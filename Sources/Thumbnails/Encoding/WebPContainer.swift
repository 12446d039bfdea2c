/// The chunks of a WebP file that our own encoder has just written (RFC 9649, 2.3).
///
/// libvips 8.14.1 ignores `strip` in WebP and writes an EXIF block of its own making, resolution and size included, into
/// every file. So the metadata chunks are taken out afterwards.
enum WebPContainer {
  /// The same image without EXIF and XMP; a profile stays. What is not a WebP file is returned as it is.
  static func removingMetadata(_ file: [UInt8]) -> [UInt8] {
    guard file.starts(with: Array("RIFF".utf8)), file.dropFirst(8).starts(with: Array("WEBP".utf8)) else { return file }
    var kept: [ArraySlice<UInt8>] = []
    var at = 12
    while at + 8 <= file.count {
      let length = (4..<8).reduce(0) { $0 | Int(file[at + $1]) << (8 * ($1 - 4)) }
      // Chunks are padded to an even length.
      let end = at + 8 + length + length % 2
      guard end <= file.count else { return file }
      let name = file[at..<at + 4]
      if !name.elementsEqual("EXIF".utf8), !name.elementsEqual("XMP ".utf8) { kept.append(file[at..<end]) }
      at = end
    }
    if let extended = kept.first, extended.starts(with: Array("VP8X".utf8)), extended.count >= 18 {
      let flags = extended[extended.startIndex + 8] & ~metadataFlags
      // Nothing left that the extended form is needed for: the simple form is the one that every reader knows.
      if flags == 0, kept.count == 2 {
        kept.removeFirst()
      } else {
        kept[0][extended.startIndex + 8] = flags
      }
    }
    let body = Array("WEBP".utf8) + kept.joined()
    let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
    return Array("RIFF".utf8) + size + body
  }

  /// The bits of VP8X that say EXIF and XMP.
  private static let metadataFlags: UInt8 = 0b0000_1100
}
