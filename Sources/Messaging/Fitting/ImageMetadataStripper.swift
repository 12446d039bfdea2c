public import MediaModel

/// An image's file without its metadata, the pixels untouched to the bit: no date, no place, no camera, no comment, no second image.
///
/// Looks at the file's structure alone. Linear in its length; what is not built as the format says gives nil, and has to be encoded anew.
public enum ImageMetadataStripper {
  /// The file without metadata; nil where only encoding it anew will do: it is not whole, not of these types, or would look different
  /// without (a profile, ink, 16 bits).
  /// - Parameters:
  ///   - isSRGB: Whether a profile that stands in a JPEG is known to be sRGB, so that nothing is lost with it.
  ///   - isBaseline: Whether a JPEG has to be baseline, as the classes of MMS conformance want it. Default false.
  public static func bytes(
    of file: [UInt8], type: MediaType, isSRGB: Bool = false, isBaseline: Bool = false
  ) -> [UInt8]? {
    switch type {
    case .jpeg: jpeg(file, isSRGB: isSRGB, isBaseline: isBaseline)
    case .png: png(file)
    case .gif: gif(file)
    default: nil
    }
  }

  /// ISO/IEC 10918-1 annex B: segments up to the first scan, of which JFIF and Adobe's say how colours are meant and stay; then everything to the end
  /// of the image. What follows that is a video, a gain map or a second image.
  private static func jpeg(_ file: [UInt8], isSRGB: Bool, isBaseline: Bool) -> [UInt8]? {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var bare: [UInt8] = [0xFF, 0xD8]
    bare.reserveCapacity(file.count)
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
        // Three colours or one, 8 bits each.
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
        return bare + image
      }
      switch marker {
      case 0xE0: bare += segment(marker, jfif(file[(at + 4)..<end]))
      case 0xEE: bare += segment(marker, adobe(file[(at + 4)..<end]))
      case 0xE1...0xEF, 0xFE: break
      // Reserved for extensions (ISO/IEC 10918-3) that no telephone knows.
      case 0xF0...0xFD: return nil
      default: bare += file[at..<end]
      }
      at = end
    }
    return nil
  }

  /// What a JFIF segment says of the pixels' shape (ISO/IEC 10918-5, 10.1), without the thumbnail behind it; empty for its extensions and
  /// for others of that number, which hold thumbnails and nothing else.
  private static func jfif(_ body: ArraySlice<UInt8>) -> [UInt8] {
    guard body.count >= 14, body.starts(with: Array("JFIF\0".utf8)) else { return [] }
    return body.prefix(12) + [0, 0]
  }

  /// What Adobe's says of the colours, and nothing behind it; empty for others of that number.
  private static func adobe(_ body: ArraySlice<UInt8>) -> [UInt8] {
    body.count >= 12 && body.starts(with: Array("Adobe".utf8)) ? Array(body.prefix(12)) : []
  }

  /// A short segment; nothing for an empty one.
  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    body.isEmpty ? [] : [0xFF, marker, 0, UInt8(body.count + 2)] + body
  }

  /// Everything from the first scan to the end of the image, later tables and scans among it.
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

  /// ISO/IEC 15948: the chunks without which the pixels cannot be had or would look different, of the first frame.
  private static func png(_ file: [UInt8]) -> [UInt8]? {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard file.starts(with: signature) else { return nil }
    var bare = signature
    bare.reserveCapacity(file.count)
    var at = signature.count
    while at + 12 <= file.count {
      let length = file[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      let end = at + 12 + length
      guard end <= file.count else { return nil }
      switch String(decoding: file[(at + 4)..<(at + 8)], as: UTF8.self) {
      case "IHDR":
        // Sixteen bits a sample are twice the bytes of what anybody sees.
        guard length == 13, file[at + 16] <= 8 else { return nil }
        bare += file[at..<end]
      case "PLTE", "tRNS", "IDAT", "gAMA", "cHRM", "sRGB", "sBIT", "pHYs": bare += file[at..<end]
      case "IEND": return bare + file[at..<end]
      case "iCCP", "cICP": return nil
      default: if file[at + 4] & 0x20 == 0 { return nil }
      }
      at = end
    }
    return nil
  }

  /// How often an animation is repeated, of an application extension that says it: name, and three bytes of which any more are not read.
  private static func repeats(_ block: ArraySlice<UInt8>) -> [UInt8] {
    let start = block.startIndex
    let name = block.dropFirst(3).prefix(11)
    let isKnown = ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name.elementsEqual($0.utf8) }
    guard isKnown, block.count >= 19, block[start + 2] == 11, block[start + 14] == 3, block[start + 15] == 1 else {
      return []
    }
    return block.prefix(18) + [0]
  }

  /// GIF89a: header, palettes, images, their timing and how often they are repeated; no comment, no text, no XMP.
  private static func gif(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= 13, file.starts(with: Array("GIF8".utf8)) else { return nil }
    func palette(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    /// The place behind a row of sub-blocks.
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
    var bare = Array(file[..<at])
    var images = 0
    while at < file.count {
      switch file[at] {
      case 0x3B: return images > 0 ? bare + [0x3B] : nil
      case 0x2C:
        guard at + 10 <= file.count, let end = blocks(at + 11 + palette(file[at + 9])) else { return nil }
        bare += file[at..<end]
        images += 1
        at = end
      case 0x21:
        guard at + 3 <= file.count, let end = blocks(at + 2) else { return nil }
        if file[at + 1] == 0xF9 {
          bare += file[at..<end]
        } else if file[at + 1] == 0xFF {
          bare += repeats(file[at..<end])
        }
        at = end
      default: return nil
      }
    }
    return nil
  }
}
