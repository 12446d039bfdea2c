internal import Encodings
package import MediaModel

extension MetadataStripper {
  /// The file without metadata that looks as before: of a JPEG, a PNG and a WebP, the orientation and the color profile stay, of a PNG also 16 bits a
  /// sample, of HEIC, AVIF and JPEG XL the coded images, of a TIFF the pages with their colors, and nothing else that is not needed for decoding.
  ///
  /// For files that are delivered as they are, where ``strip(_:type:)`` is for those that are shown upright in sRGB.
  /// - Parameters:
  ///   - file: The whole file.
  ///   - type: Its type by its content.
  ///   - orientation: The orientation of the stored image.
  /// - Returns: nil as ``strip(_:type:)``.
  package static func stripKeepingAppearance(
    _ file: [UInt8], type: MediaType, orientation: MediaInfo.Orientation?
  ) -> [UInt8]? {
    guard type.registered == .jpeg else {
      // Files within a message have metadata of their own.
      guard type.topLevel != "message", type.rawValue != "application/mbox" else { return nil }
      switch type.registered.rawValue {
      case "image/webp": return WebPFile.strip(file, orientation: orientation)
      // The images themselves have the orientation; that of Exif has no effect (ISO/IEC 23008-12, 6.5.10, and 18181-2).
      case "image/heic", "image/heif", "image/avif": return HEIFFile.strip(file)
      case "image/jxl": return JPEGXLFile.strip(file)
      // The tag of the orientation stays.
      case "image/tiff": return TIFFFile.strip(file)
      default: break
      }
      if type.registered == .png {
        return ImageMetadataStripper.png(file, keepsAppearance: true).flatMap {
          png($0, orientation: orientation ?? .up)
        }
      }
      // Without its orientation it would lie on its side.
      guard orientation == nil || orientation == .up || type.kind != .image else { return nil }
      return strip(file, type: type)
    }
    // As if its profile could be dropped; it is put back.
    guard let stripped = ImageMetadataStripper.strip(file, type: .jpeg, isSRGB: true) else { return nil }
    var segments = orientation.map { $0 == .up ? [] : exif(orientation: $0) } ?? []
    segments += profile(of: file)
    // JFIF asks for its segment to be the first one (ISO/IEC 10918-5, 10.1).
    let start = stripped.count > 4 && stripped[2] == 0xFF && stripped[3] == 0xE0 ? segmentEnd(stripped, 2) : 2
    return Array(stripped[..<start]) + segments + stripped[start...]
  }

  /// An Exif segment with the orientation alone.
  private static func exif(orientation: MediaInfo.Orientation) -> [UInt8] {
    let body = Array("Exif\0\0".utf8) + exifDirectory(orientation: orientation)
    return [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
  }

  /// A PNG without metadata, with a chunk of the orientation alone behind the header; nil if the header is not the first chunk.
  private static func png(_ stripped: [UInt8], orientation: MediaInfo.Orientation) -> [UInt8]? {
    guard orientation != .up else { return stripped }
    let headerEnd = 33
    guard stripped.count > headerEnd, stripped[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    let directory = exifDirectory(orientation: orientation)
    let checked = Array("eXIf".utf8) + directory
    let checksum = CRC32.of(checked)
    let chunk =
      [0, 0, 0, UInt8(directory.count)] + checked + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
    return Array(stripped[..<headerEnd]) + chunk + stripped[headerEnd...]
  }

  /// The orientation alone as Exif (CIPA DC-008, 4.6.4): big-endian, one directory with one entry.
  static func exifDirectory(orientation: MediaInfo.Orientation) -> [UInt8] {
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0]
      + [0, 0, 0, 0]
  }

  /// The segments of the color profile (ICC.1, B.4) before the first scan.
  private static func profile(of file: [UInt8]) -> [UInt8] {
    var segments: [UInt8] = []
    var at = 2
    while at + 4 <= file.count, file[at] == 0xFF, file[at + 1] != 0xDA {
      if file[at + 1] == 0xFF {
        at += 1
        continue
      }
      let end = segmentEnd(file, at)
      guard end > at + 2, end <= file.count else { break }
      if file[at + 1] == 0xE2, file[(at + 4)..<end].starts(with: Array("ICC_PROFILE\0".utf8)) {
        segments += file[at..<end]
      }
      at = end
    }
    return segments
  }

  /// The end of the segment at an offset.
  private static func segmentEnd(_ file: [UInt8], _ at: Int) -> Int {
    at + 2 + (Int(file[at + 2]) << 8 | Int(file[at + 3]))
  }
}
