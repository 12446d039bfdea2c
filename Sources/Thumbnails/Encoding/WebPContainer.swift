/// Edits the chunks of a WebP file that our own encoder has just written (RFC 9649, 2.3).
///
/// libvips 8.14.1 ignores `strip` for WebP and writes an EXIF block of its own, with resolution and size, into every
/// file. The metadata chunks are therefore removed afterwards.
enum WebPContainer {
  /// Returns the image without EXIF and XMP, and keeps a profile. A file that is not WebP is returned unchanged.
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
      // The extended format is no longer needed: the simple format is the one that every reader knows.
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

  /// The bits for EXIF and XMP in VP8X.
  private static let metadataFlags: UInt8 = 0b0000_1100
}
