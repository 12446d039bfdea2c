internal import ISOBaseMedia
internal import MediaModel

/// Reads WebP (RFC 9649): the canvas, the frames with their durations, and the metadata chunks.
struct WebPHeader {
  private let reader: ByteReader
  private var header = StillHeader()
  private var frames = 0
  private var milliseconds = 0
  private var isAnimated = false

  static func read(_ reader: ByteReader) -> StillHeader {
    var webp = WebPHeader(reader)
    webp.read()
    return webp.header
  }

  private init(_ reader: ByteReader) { self.reader = reader }

  private mutating func read() {
    guard reader.fourCC(0) == "RIFF", reader.fourCC(8) == "WEBP", let size = reader.u32le(4) else {
      header.failure = .corruptImage("no WebP signature")
      return
    }
    // The size is relative to its own end; an odd last chunk may lack its padding byte.
    let end = 8 + Int(size)
    if end - 1 > reader.count { header.failure = .truncatedImage }
    var offset = 12
    while offset < min(end, reader.count) {
      // Name and length of the chunk, and the frame header if it is a frame.
      let head = ByteReader(reader.peek(offset, 24))
      guard let name = head.fourCC(0), let length = head.u32le(4) else { break }
      if name == "ANMF", isAnimated {
        frames += 1
        milliseconds += Int(head.u24le(20) ?? 0)
      }
      let start = offset + 8
      let stop = start + Int(length)
      if stop > reader.count {
        header.failure = .truncatedImage
      } else if name == "ANMF", isAnimated {
        header.shown.add(delay: Double(head.u24le(20) ?? 0))
      }
      readChunk(name, start..<min(stop, max(start, reader.count)))
      offset = stop + Int(length & 1)
    }
    finish()
  }

  private mutating func finish() {
    if header.size == nil || frames == 0 {
      header.failure = header.failure ?? .corruptImage("no image data")
    }
    if header.size != nil { header.frames = max(1, frames) }
    if frames > 1, milliseconds > 0 { header.duration = Double(milliseconds) / 1_000 }
  }

  private mutating func readChunk(_ name: FourCC, _ body: Range<Int>) {
    let start = body.lowerBound
    switch name {
    case "VP8X":
      guard header.size == nil, let flags = reader.u8(start), let width = reader.u24le(start + 4),
        let height = reader.u24le(start + 7)
      else { return }
      header.size = PixelSize(width: Int(width) + 1, height: Int(height) + 1)
      header.alpha = flags & 0x10 != 0
      isAnimated = flags & 0x02 != 0
    case "VP8 ":
      if !isAnimated { frames = 1 }
      // A key frame: three bytes of tag, the start code, then 14-bit sizes below two bits of scale.
      guard header.size == nil, reader.u24be(start + 3) == 0x9D012A, let width = reader.u16le(start + 6),
        let height = reader.u16le(start + 8)
      else { return }
      header.size = PixelSize(width: Int(width & 0x3FFF), height: Int(height & 0x3FFF))
      header.alpha = false
    case "VP8L":
      if !isAnimated { frames = 1 }
      guard header.size == nil, reader.u8(start) == 0x2F, let bits = reader.u32le(start + 1) else { return }
      header.size = PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
      header.alpha = bits >> 28 & 1 != 0
    case "ICCP" where header.icc == nil: header.icc = ByteReader([body], of: reader)
    case "EXIF" where header.exif == nil:
      header.exif = EXIFBlock(reader.bytes(start, min(body.count, EXIFBlock.byteLimit)), fileOffset: start)
    case "XMP " where header.xmp == nil:
      header.xmp = XMPPacket(reader.bytes(start, min(body.count, XMPPacket.byteLimit)))
    default: break
    }
  }
}
