internal import ISOBaseMedia
internal import MediaModel

/// Reads JPEG 2000: the codestream (ISO/IEC 15444-1 annex A) and the JP2 file format (annex I).
enum JPEG2000Header {
  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    header.alpha = false
    if reader.u32be(0) == 0xFF4F_FF51 {
      readCodestream(reader, 0..<reader.count, into: &header)
      return header
    }
    guard reader.fourCC(4) == "jP  " else {
      header.failure = .corruptImage("no JPEG 2000 signature")
      return header
    }
    var codestreams = 0
    for box in BoxReader(reader, 0..<reader.count) {
      switch box.type {
      case "jp2h": readHeaderBox(reader, box.body, into: &header)
      case "jp2c" where codestreams > 0: codestreams += 1
      case "jp2c":
        codestreams = 1
        if box.isCut { header.failure = .truncatedImage }
        readCodestream(reader, box.body, into: &header)
      case "uuid": readMetadata(reader, box, into: &header)
      default: break
      }
    }
    // Readers of JPX combine or animate them, others show the first (ISO/IEC 15444-2, annex M).
    if codestreams > 1 { header.tracks = codestreams }
    if codestreams == 0 { header.failure = header.failure ?? .truncatedImage }
    return header
  }

  private static func readHeaderBox(_ reader: ByteReader, _ body: Range<Int>, into header: inout StillHeader) {
    for box in BoxReader(reader, body) {
      let start = box.body.lowerBound
      switch box.type {
      case "ihdr":
        // If the codestream is readable, its size takes precedence.
        guard let height = reader.u32be(start), let width = reader.u32be(start + 4), width > 0, height > 0 else {
          continue
        }
        header.size = PixelSize(width: Int(width), height: Int(height))
      case "colr" where reader.u8(start) == 2 && header.icc == nil:
        header.icc = ByteReader([box.body.dropFirst(3)], of: reader)
      case "cdef":
        // Channel definitions of six bytes: channel, type (1 and 2 are opacity), association.
        for index in 0..<Int(reader.u16be(start) ?? 0) {
          if let kind = reader.u16be(start + 4 + index * 6), kind == 1 || kind == 2 { header.alpha = true }
        }
      default: break
      }
    }
  }

  /// Reads the SIZ segment, and looks for the end marker.
  private static func readCodestream(_ reader: ByteReader, _ range: Range<Int>, into header: inout StillHeader) {
    let start = range.lowerBound
    guard reader.u32be(start) == 0xFF4F_FF51, let right = reader.u32be(start + 8),
      let bottom = reader.u32be(start + 12),
      let left = reader.u32be(start + 16), let top = reader.u32be(start + 20)
    else {
      header.failure = header.failure ?? (range.count < 24 ? .truncatedImage : .corruptImage("no SIZ segment"))
      return
    }
    guard right > left, bottom > top else {
      header.failure = .corruptImage("width or height is 0")
      return
    }
    header.size = PixelSize(width: Int(right - left), height: Int(bottom - top))
    // The end of codestream marker; some encoders append a few bytes.
    let tail = reader.bytes(max(start, range.upperBound - 64), min(64, range.count))
    if header.failure == nil, !zip(tail, tail.dropFirst()).contains(where: { $0 == 0xFF && $1 == 0xD9 }) {
      header.failure = .truncatedImage
    }
  }

  /// `JpgTiffExif->JP2` in ASCII.
  private static let exif = Box.UserType(0x4A70_6754_6966_6645, 0x7869_662D_3E4A_5032)
  /// Adobe's number for XMP (ISO 16684-1).
  private static let xmp = Box.UserType(0xBE7A_CFCB_97A9_42E8, 0x9C71_9994_91E3_AFAC)

  private static func readMetadata(_ reader: ByteReader, _ box: Box, into header: inout StillHeader) {
    guard let (type, body) = box.userType(in: reader), !body.isEmpty else { return }
    if header.exif == nil, type == exif {
      header.exif = EXIFBlock(
        reader.bytes(body.lowerBound, min(body.count, EXIFBlock.byteLimit)), fileOffset: body.lowerBound)
    } else if header.xmp == nil, type == xmp {
      header.xmp = XMPPacket(reader.bytes(body.lowerBound, min(body.count, XMPPacket.byteLimit)))
    }
  }
}
