internal import MediaModel

/// Reads JPEG: the frame size, and the application segments before the first scan.
struct JPEGHeader {
  private let reader: ByteReader
  private var header = StillHeader()
  private var iccChunks: [(number: UInt8, body: Range<Int>)] = []
  private var extendedXMP: [UInt8] = []
  private var imageIndex: [Range<Int>] = []
  private var hasGainMapSegment = false

  static func read(_ reader: ByteReader) -> StillHeader {
    var jpeg = JPEGHeader(reader)
    jpeg.read()
    return jpeg.header
  }

  private init(_ reader: ByteReader) { self.reader = reader }

  private mutating func read() {
    header.alpha = false
    guard var segments = JPEGSegments(reader, 0..<reader.count) else {
      header.failure = reader.count < 4 ? .truncatedImage : .corruptImage("no SOI marker")
      return
    }
    var scan: Int?
    while scan == nil, let segment = segments.next(), segment.marker != 0xD9 {
      switch segment.marker {
      case 0xE1: readAPP1(segment.body)
      case 0xE2: readAPP2(segment.body)
      case 0xDA: scan = segments.offset
      default:
        if header.size == nil, let frame = JPEGFrame(segment, reader) { header.size = frame.size }
      }
    }
    header.icc = profile
    if !extendedXMP.isEmpty {
      let extended = XMPPacket(extendedXMP)
      if header.xmp == nil { header.xmp = extended } else { header.xmp?.fill(from: extended) }
    }

    let trailer = JPEGTrailer(reader: reader, xmp: header.xmp, images: imageIndex)
    header.motionPhoto = trailer.motionVideoStart != nil
    var isWhole = false
    if header.size == nil {
      header.failure = segments.isCut ? .truncatedImage : .corruptImage("no frame header")
    } else if header.size?.isPositive == false {
      header.failure = .corruptImage("width or height is 0")
    } else if let scan {
      isWhole = trailer.hasEndOfImage(after: scan)
      if !isWhole { header.failure = .truncatedImage }
    } else {
      header.failure = .truncatedImage
    }
    if trailer.hasGainMap(isStated: hasGainMapSegment || header.xmp?.statesGainMap == true, imageIsWhole: isWhole) {
      header.hdr = .gainmap
    }
    let others = header.size.map(trailer.images(ofSize:)) ?? 0
    if others > 0 { header.tracks = others + 1 }
  }

  private mutating func readAPP1(_ body: Range<Int>) {
    let start = body.lowerBound
    // Some writers put 0xFF in place of the second NUL.
    if header.exif == nil, reader.has("Exif\0", at: start), body.count > 14 {
      header.exif = EXIFBlock(reader.bytes(start + 6, body.count - 6), fileOffset: start + 6)
    } else if header.xmp == nil, reader.has("http://ns.adobe.com/xap/1.0/\0", at: start), body.count > 29 {
      header.xmp = XMPPacket(reader.bytes(start + 29, body.count - 29))
    } else if reader.has("http://ns.adobe.com/xmp/extension/\0", at: start), body.count > 75 {
      // A digest of 32 characters, the full length and the offset of this part precede it; writers keep the order. Only
      // short extensions are read: long ones hold depth maps and whole images in base64.
      let length = Int(reader.u32be(start + 67) ?? 0)
      if length <= 131_072, Int(reader.u32be(start + 71) ?? 0) == extendedXMP.count, extendedXMP.count < length {
        extendedXMP += reader.bytes(start + 75, body.count - 75)
      }
    }
  }

  private mutating func readAPP2(_ body: Range<Int>) {
    let start = body.lowerBound
    if reader.has("ICC_PROFILE\0", at: start), body.count > 14 {
      iccChunks.append((reader.u8(start + 12) ?? 0, start + 14..<body.upperBound))
    } else if imageIndex.isEmpty, reader.has("MPF\0", at: start) {
      imageIndex = JPEGTrailer.images(inIndex: reader.bytes(start + 4, body.count - 4), at: start + 4)
    } else if reader.has("urn:iso:std:iso:ts:21496:-1\0", at: start) {
      hasGainMapSegment = true
    }
  }

  /// The profile, whose chunks are stored in ascending order.
  private var profile: ByteReader? {
    if iccChunks.isEmpty { return nil }
    return ByteReader(iccChunks.sorted { $0.number < $1.number }.map(\.body), of: reader)
  }
}
