internal import ISOBaseMedia
internal import MediaModel

/// Reads Canon CR3 (https://github.com/lclevy/canon_cr3): an ISO base media file whose movie box has the metadata as TIFF
/// blocks, the directories of EXIF and GPS each in a block of its own.
enum CR3Header {
  private static let metadata = Box.UserType(0x85C0_B687_820F_11E0, 0x8111_F4CE_462B_6A48)
  private static let preview = Box.UserType(0xEAF4_2B5E_1C98_4B88, 0xB9FB_B7DC_406E_4D16)
  private static let xmp = Box.UserType(0xBE7A_CFCB_97A9_42E8, 0x9C71_9994_91E3_AFAC)
  /// Maximum number of tracks; cameras write four.
  private static let trackLimit = 16

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    header.alpha = false
    header.pages = 1
    var previews: [Range<Int>] = []
    var isCut = false
    var hasMovie = false
    for box in BoxReader(reader, 0..<reader.count) {
      isCut = isCut || box.isCut
      switch box.type {
      case "moov" where !hasMovie:
        hasMovie = true
        readMovie(reader, box.body, into: &header, previews: &previews)
      case "uuid":
        guard let (type, body) = box.userType(in: reader) else { continue }
        if type == xmp, header.xmp == nil {
          header.xmp = XMPPacket(reader.bytes(body.lowerBound, min(body.count, XMPPacket.byteLimit)))
        }
        // Eight bytes, then the box.
        if type == preview, let box = BoxReader(reader, body.dropFirst(8)).first("PRVW") {
          previews += jpeg(in: box.body, reader)
        }
      default: break
      }
    }
    header.embeddedThumbnail = EmbeddedJPEG.largest(of: previews, in: reader)
    if header.size == nil {
      header.failure = hasMovie && !isCut ? .corruptImage("no image dimensions") : .truncatedImage
    } else if isCut {
      header.failure = .truncatedImage
    }
    return header
  }

  private static func readMovie(
    _ reader: ByteReader, _ body: Range<Int>, into header: inout StillHeader, previews: inout [Range<Int>]
  ) {
    var blocks: [FourCC: Range<Int>] = [:]
    var tracks = 0
    for box in BoxReader(reader, body) {
      if box.type == "trak", tracks < trackLimit {
        tracks += 1
        previews += track(reader, box.body)
      }
      guard let (type, body) = box.userType(in: reader), type == metadata else { continue }
      for box in BoxReader(reader, body) {
        switch box.type {
        case "CMT1", "CMT2", "CMT4": if blocks[box.type] == nil { blocks[box.type] = box.body }
        case "THMB": previews += jpeg(in: box.body, reader)
        default: break
        }
      }
    }
    func block(_ type: FourCC) -> ByteReader? {
      blocks[type].map { ByteReader(reader.bytes($0.lowerBound, min($0.count, EXIFBlock.byteLimit))) }
    }
    guard let main = block("CMT1") else { return }
    let exif = EXIFBlock(main, exif: block("CMT2"), gps: block("CMT4"))
    header.exif = exif
    let directory = TIFFStructure(main).flatMap { $0.directory(at: $0.firstDirectory) }
    if let width = directory?.integer(256), let height = directory?.integer(257), width > 0, height > 0 {
      header.size = PixelSize(width: width, height: height)
    } else {
      header.size = EXIFFacts(exif)?.pixelSize
    }
  }

  /// The JPEG after the numbers at the start of a `THMB` or `PRVW` box.
  private static func jpeg(in body: Range<Int>, _ reader: ByteReader) -> [Range<Int>] {
    let start = (0..<32).lazy.map { body.lowerBound + $0 }.first { reader.u24be($0) == 0xFF_D8FF }
    return start.flatMap { $0 < body.upperBound ? [$0..<body.upperBound] : nil } ?? []
  }

  /// The only sample of a track. Of the image tracks the first is a JPEG in full size.
  private static func track(_ reader: ByteReader, _ body: Range<Int>) -> [Range<Int>] {
    guard let table = BoxReader(reader, body).first(["mdia", "minf", "stbl"]) else { return [] }
    let boxes = BoxReader(reader, table.body)
    guard let sizes = boxes.first("stsz")?.body.lowerBound, let offsets = boxes.first("co64")?.body.lowerBound,
      reader.u32be(offsets + 4) == 1, let start = reader.u64be(offsets + 8).map(Int.init(clamping:)),
      let common = reader.u32be(sizes + 4), let size = common > 0 ? common : reader.u32be(sizes + 12),
      start < reader.count, Int(size) <= reader.count - start, reader.u24be(start) == 0xFF_D8FF
    else { return [] }
    return [start..<start + Int(size)]
  }
}
