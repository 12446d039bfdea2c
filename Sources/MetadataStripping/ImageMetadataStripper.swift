public import MediaModel

/// Removes the metadata of an image file: date, location, camera, comments, thumbnails, second images. The pixels stay bit-identical.
///
/// Reads the structure of JPEG (ISO/IEC 10918-1 annex B), PNG (ISO/IEC 15948) and GIF (GIF89a) and decodes nothing. Pure, without files or
/// global state, linear in the length of the file. What stays is a list of what a viewer needs: everything else is removed, known or not.
public enum ImageMetadataStripper {
  /// The file without metadata; nil where it has to be encoded again: it is cut or malformed, is no JPEG, PNG or GIF, or would look different
  /// without its metadata (a color profile, ink, 16 bits a sample).
  ///
  /// Stripping a stripped file gives the same bytes.
  /// - Parameters:
  ///   - file: The whole file.
  ///   - type: Its type by its content, not by its name.
  ///   - isSRGB: Whether the color profile of a JPEG is known to be sRGB, so that it can be dropped.
  ///   - isBaseline: Whether a JPEG has to be baseline, as the MMS content classes require. Default false.
  public static func strip(
    _ file: [UInt8], type: MediaType, isSRGB: Bool = false, isBaseline: Bool = false
  ) -> [UInt8]? {
    switch type {
    case .jpeg: jpeg(file, isSRGB: isSRGB, isBaseline: isBaseline)
    case .png: png(file)
    case .gif: gif(file)
    default: nil
    }
  }

  /// Strips a JPEG (ISO/IEC 10918-1 annex B).
  ///
  /// Keeps the segments that decoding needs, the JFIF and Adobe segments, which define the colors, and everything from
  /// the first scan to the end of the image. A video, a gain map or a second image after that is dropped.
  private static func jpeg(_ file: [UInt8], isSRGB: Bool, isBaseline: Bool) -> [UInt8]? {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var stripped: [UInt8] = [0xFF, 0xD8]
    stripped.reserveCapacity(file.count)
    var at = 2
    var hasFrame = false
    while at + 4 <= file.count {
      guard file[at] == 0xFF else { return nil }
      let marker = file[at + 1]
      // Fill bytes.
      if marker == 0xFF {
        at += 1
        continue
      }
      let end = at + 2 + (Int(file[at + 2]) << 8 | Int(file[at + 3]))
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), end >= at + 4, end <= file.count else { return nil }
      switch marker {
      case 0xC0...0xC2:
        // Three colors or one, 8 bits each.
        guard !hasFrame, marker != 0xC2 || !isBaseline, end >= at + 10, file[at + 4] == 8,
          [1, 3].contains(file[at + 9])
        else { return nil }
        hasFrame = true
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return nil
      case 0xE2:
        if !isSRGB, file[(at + 4)..<end].starts(with: Array("ICC_PROFILE\0".utf8)) { return nil }
      default: break
      }
      if marker == 0xDA {
        guard hasFrame, let image = scans(file, from: at) else { return nil }
        return stripped + image
      }
      switch marker {
      case 0xE0: stripped += segment(marker, jfif(file[(at + 4)..<end]))
      case 0xEE: stripped += segment(marker, adobe(file[(at + 4)..<end]))
      case 0xE1...0xEF, 0xFE: break
      // Reserved for extensions (ISO/IEC 10918-3) that no phone supports.
      case 0xF0...0xFD: return nil
      default: stripped += file[at..<end]
      }
      at = end
    }
    return nil
  }

  /// The pixel density of a JFIF segment (ISO/IEC 10918-5, 10.1), without its thumbnail. Empty for JFIF extensions and
  /// other APP0 segments, which only hold thumbnails.
  private static func jfif(_ body: ArraySlice<UInt8>) -> [UInt8] {
    guard body.count >= 14, body.starts(with: Array("JFIF\0".utf8)) else { return [] }
    return body.prefix(12) + [0, 0]
  }

  /// The color transform of an Adobe segment without trailing data; empty for other APP14 segments.
  private static func adobe(_ body: ArraySlice<UInt8>) -> [UInt8] {
    body.count >= 12 && body.starts(with: Array("Adobe".utf8)) ? Array(body.prefix(12)) : []
  }

  /// A short segment; empty for an empty body.
  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    body.isEmpty ? [] : [0xFF, marker, 0, UInt8(body.count + 2)] + body
  }

  /// Everything from the first scan to the end of the image, including later tables and scans.
  private static func scans(_ file: [UInt8], from start: Int) -> ArraySlice<UInt8>? {
    var at = start
    while at + 1 < file.count {
      guard file[at] == 0xFF else {
        at += 1
        continue
      }
      switch file[at + 1] {
      case 0xD9: return file[start..<(at + 2)]
      case 0x00, 0x01, 0xD0...0xD7: at += 2
      case 0xFF: at += 1
      case 0xC0...0xC3, 0xD8, 0xE0...0xFE: return nil
      default:
        guard at + 4 <= file.count else { return nil }
        at += 2 + max(2, Int(file[at + 2]) << 8 | Int(file[at + 3]))
      }
    }
    return nil
  }

  /// W3C PNG, third edition: keeps the chunks that are needed for decoding or affect the appearance, with all frames of an
  /// animation.
  /// - Parameter keepsAppearance: Whether to keep color profiles (`iCCP`, `cICP`) and 16 bits a sample. Default false: such a file is nil.
  static func png(_ file: [UInt8], keepsAppearance: Bool = false) -> [UInt8]? {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard file.starts(with: signature) else { return nil }
    var stripped = signature
    stripped.reserveCapacity(file.count)
    var at = signature.count
    while at + 12 <= file.count {
      let length = file[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      let end = at + 12 + length
      guard end <= file.count else { return nil }
      switch String(decoding: file[(at + 4)..<(at + 8)], as: UTF8.self) {
      case "IHDR":
        // Sixteen bits per sample double the size without a visible difference.
        guard length == 13, file[at + 16] <= (keepsAppearance ? 16 : 8) else { return nil }
        stripped += file[at..<end]
      case "PLTE", "tRNS", "IDAT", "gAMA", "cHRM", "sRGB", "sBIT", "pHYs", "acTL", "fcTL", "fdAT":
        stripped += file[at..<end]
      case "IEND": return stripped + file[at..<end]
      case "iCCP", "cICP":
        guard keepsAppearance else { return nil }
        stripped += file[at..<end]
      default: if file[at + 4] & 0x20 == 0 { return nil }
      }
      at = end
    }
    return nil
  }

  /// The application extension for the number of repetitions: its name and three bytes; further bytes are dropped.
  private static func repeats(_ block: ArraySlice<UInt8>) -> [UInt8] {
    let start = block.startIndex
    let name = block.dropFirst(3).prefix(11)
    let isKnown = ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name.elementsEqual($0.utf8) }
    guard isKnown, block.count >= 19, block[start + 2] == 11, block[start + 14] == 3, block[start + 15] == 1 else {
      return []
    }
    return block.prefix(18) + [0]
  }

  /// GIF89a: keeps header, palettes, images, timing and repetitions; drops comments, texts and XMP.
  private static func gif(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= 13, file.starts(with: Array("GIF8".utf8)) else { return nil }
    func palette(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    /// The offset after a chain of sub-blocks.
    func blocks(_ start: Int) -> Int? {
      var at = start
      while at < file.count {
        if file[at] == 0 { return at + 1 }
        at += Int(file[at]) + 1
      }
      return nil
    }
    var at = 13 + palette(file[10])
    guard at <= file.count else { return nil }
    var stripped = Array(file[..<at])
    var images = 0
    while at < file.count {
      switch file[at] {
      case 0x3B: return images > 0 ? stripped + [0x3B] : nil
      case 0x2C:
        guard at + 10 <= file.count, let end = blocks(at + 11 + palette(file[at + 9])) else { return nil }
        stripped += file[at..<end]
        images += 1
        at = end
      case 0x21:
        guard at + 3 <= file.count, let end = blocks(at + 2) else { return nil }
        if file[at + 1] == 0xF9 {
          stripped += file[at..<end]
        } else if file[at + 1] == 0xFF {
          stripped += repeats(file[at..<end])
        }
        at = end
      default: return nil
      }
    }
    return nil
  }
}
