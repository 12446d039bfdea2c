internal import MediaModel

/// Signatures of images, except for box-based formats (``BoxSignatures``) and TIFF (``TIFFSignatures``).
enum ImageSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    guard let first = reader.u32be(0) else { return nil }
    switch first {
    // PNG 3rd edition, 5.2: eight bytes that survive no text-mode transfer.
    case 0x8950_4E47: return reader.u32be(4) == 0x0D0A_1A0A ? .png : nil
    // GIF89a, 17: "GIF" and one of two versions.
    case 0x4749_4638: return reader.has("7a", at: 4) || reader.has("9a", at: 4) ? .gif : nil
    // RFC 9649, 2.4: RIFF of form WEBP, the first chunk one of three.
    case 0x5249_4646 where reader.has("WEBP", at: 8):
      return reader.has("VP8 ", at: 12) || reader.has("VP8L", at: 12) || reader.has("VP8X", at: 12) ? .webp : nil
    // Adobe Photoshop File Formats Specification, File Header Section: version 1, or 2 for PSB.
    case 0x3842_5053: return reader.u16be(4) == 1 || reader.u16be(4) == 2 ? .photoshop : nil
    // The QOI specification, header: three or four channels, one of two color spaces.
    case 0x716F_6966:
      guard let channels = reader.u8(12), let colorSpace = reader.u8(13) else { return nil }
      return (3...4).contains(channels) && colorSpace <= 1 ? .qoi : nil
    // ITU-T T.800, A.4: SOC, then at once SIZ.
    case 0xFF4F_FF51: return .j2c
    case 0x0000_0100: return isIcon(reader) ? .icon : nil
    default: break
    }
    // ITU-T T.81, B.1.1: SOI, and the first byte of another marker.
    if first >> 8 == 0xFF_D8FF { return .jpeg }
    // ISO/IEC 18181-2, 9.1: the raw codestream.
    if first >> 16 == 0xFF0A { return .jxl }
    if first >> 16 == 0x424D, isBitmap(reader) { return .bmp }
    return netpbm(reader)
  }

  /// BMP: "BM" is only two letters, so the size of the next header must be one in use (BITMAPCOREHEADER, OS/2 2.x,
  /// BITMAPINFOHEADER and its versions 2, 3, 4, 5).
  private static func isBitmap(_ reader: ByteReader) -> Bool {
    guard let headerSize = reader.u32le(14) else { return false }
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(headerSize)
  }

  /// ICO has no magic number, so the first directory entry must be plausible: reserved byte 0, at most one plane, data
  /// that begins after the directory. https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
  private static func isIcon(_ reader: ByteReader) -> Bool {
    guard let count = reader.u16le(4), count > 0, reader.u8(9) == 0, let planes = reader.u16le(10), planes <= 1,
      let length = reader.u32le(14), length > 0, let offset = reader.u32le(18)
    else { return false }
    return Int(offset) >= 6 + 16 * Int(count)
  }

  /// Netpbm, `P1` to `P6`: the magic number, width, height and, except for bitmaps, the maximum value, as decimal
  /// numbers. https://netpbm.sourceforge.net/doc/ppm.html
  private static func netpbm(_ reader: ByteReader) -> MediaType? {
    guard reader.u8(0) == UInt8(ascii: "P"), let digit = reader.u8(1), (0x31...0x36).contains(digit) else { return nil }
    let isBitmap = digit == 0x31 || digit == 0x34
    let header = reader.bytes(2, 512)
    var numbers = 0
    var digits = 0
    var inComment = false
    for byte in header {
      switch byte {
      case 0x0A where inComment: inComment = false
      case _ where inComment: continue
      case UInt8(ascii: "#") where digits == 0: inComment = true
      case 0x30...0x39 where digits > 0 || numbers > 0 || byte != header[0]: digits += 1
      case 0x09, 0x0A, 0x0D, 0x20:
        if digits > 0 { numbers += 1 }
        digits = 0
      default: return nil
      }
      if digits > 9 { return nil }
      if numbers == (isBitmap ? 2 : 3) { break }
    }
    guard numbers == (isBitmap ? 2 : 3) else { return nil }
    switch digit {
    case 0x31, 0x34: return .portableBitmap
    case 0x32, 0x35: return .portableGraymap
    default: return .portablePixmap
    }
  }
}
