internal import ISOBaseMedia
internal import MediaModel

/// Reads JPEG XL: the codestream's header (ISO/IEC 18181-1), raw or in its container (ISO/IEC 18181-2).
struct JXLHeader {
  /// Maximum header bytes to read. Only hundreds of named extra channels would need more.
  private static let codestreamLimit = 4_096

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    if reader.u16be(0) == 0xFF0A {
      readCodestream(reader.bytes(0, codestreamLimit), into: &header)
      return header
    }
    guard reader.fourCC(4) == "JXL " else {
      header.failure = .corruptImage("no JPEG XL signature")
      return header
    }
    var hasCodestream = false
    var hasGainMap = false
    for box in BoxReader(reader, 0..<reader.count) {
      if box.isCut { header.failure = .truncatedImage }
      let start = box.body.lowerBound
      switch box.type {
      case "jxlc", "jxlp":
        guard !hasCodestream else { continue }
        hasCodestream = true
        // Parts begin with their index.
        let codestream = box.type == "jxlp" ? box.body.dropFirst(4) : box.body
        readCodestream(
          reader.bytes(codestream.lowerBound, min(codestreamLimit, codestream.count)), into: &header)
      case "Exif" where header.exif == nil:
        // The offset of the TIFF structure, relative to the end of this field.
        guard let skipped = reader.u32be(start).map({ Int($0) }), skipped < box.body.count - 4 else { continue }
        let tiff = start + 4 + skipped
        header.exif = EXIFBlock(
          reader.bytes(tiff, min(box.body.upperBound - tiff, EXIFBlock.byteLimit)), fileOffset: tiff)
      case "xml " where header.xmp == nil:
        header.xmp = XMPPacket(reader.bytes(start, min(box.body.count, XMPPacket.byteLimit)))
      case "jhgm": hasGainMap = true  // a gain map bundle, ISO/IEC 18181-2:2024
      default: break
      }
    }
    if hasGainMap, header.hdr == nil { header.hdr = .gainmap }
    if !hasCodestream { header.failure = header.failure ?? .truncatedImage }
    return header
  }

  private static func readCodestream(_ bytes: [UInt8], into header: inout StillHeader) {
    var codestream = JXLCodestream(bytes)
    guard let size = codestream.readSize() else {
      header.failure = header.failure ?? (bytes.count < 16 ? .truncatedImage : .corruptImage("no width and height"))
      return
    }
    header.size = size
    codestream.readMetadata()
    header.alpha = codestream.hasAlpha
    header.hdr = codestream.hdr
    header.animated = codestream.isAnimated
    // The header does not state the number of frames of an animation.
    if !codestream.isAnimated { header.frames = 1 }
    // The decoder applies this orientation and ignores EXIF.
    header.containerOrientation = codestream.orientation
  }
}
