internal import ISOBaseMedia
internal import MediaModel

/// Reads PNG and APNG (W3C PNG, third edition): the header, animation control, metadata chunks, and the end chunk.
///
/// Chunk bodies are read only if they hold metadata.
struct PNGHeader {
  /// Maximum number of chunks: bounds the time for a file of a hundred megabytes of empty chunks.
  static let chunkLimit = 1_000_000

  private let reader: ByteReader
  private var header = StillHeader()
  private var declaredFrames: Int?
  private var frameControls = 0
  private var seconds = 0.0
  /// The delay of the frame whose data follows.
  private var delay: Double?
  private var sawData = false
  /// Compressed texts and profiles that may still be inflated: a file may hold thousands, each up to the limit.
  private var textsLeft = 32

  static func read(_ reader: ByteReader) -> StillHeader {
    var png = PNGHeader(reader)
    png.read()
    return png.header
  }

  private init(_ reader: ByteReader) { self.reader = reader }

  private mutating func read() {
    guard reader.u64be(0) == 0x8950_4E47_0D0A_1A0A else {
      header.failure = .corruptImage("no PNG signature")
      return
    }
    readHeader()
    walk()
    finishFrames()
  }

  private mutating func walk() {
    var offset = 8
    for _ in 0..<Self.chunkLimit {
      // A chunk is its body and 12 bytes: length, name, checksum.
      let head = ByteReader(reader.peek(offset, 8))
      guard let length = head.u32be(0).map({ Int($0) }), let name = head.fourCC(4) else {
        header.failure = header.failure ?? .truncatedImage
        return
      }
      guard length <= reader.count - offset - 12 else {
        header.failure =
          header.failure ?? (name.isLetters ? .truncatedImage : .corruptImage("no chunk after the signature"))
        return
      }
      readChunk(name, offset + 8..<offset + 8 + length)
      if name == "IEND" {
        endFrame()
        return
      }
      offset += length + 12
    }
  }

  private mutating func readHeader() {
    guard reader.fourCC(12) == "IHDR", let width = reader.u32be(16), let height = reader.u32be(20),
      let color = reader.u8(25)
    else {
      header.failure = reader.count < 33 ? .truncatedImage : .corruptImage("no IHDR")
      return
    }
    header.size = PixelSize(width: Int(width), height: Int(height))
    header.alpha = color == 4 || color == 6
    // Sizes use 31 bits.
    if width == 0 || height == 0 || width > 0x7FFF_FFFF || height > 0x7FFF_FFFF {
      header.size = nil
      header.failure = .corruptImage("width or height is 0")
    }
  }

  private mutating func readChunk(_ name: FourCC, _ body: Range<Int>) {
    switch name {
    case "IDAT":
      // An image before the first frame is for viewers that know no animations, and shown by no other.
      if frameControls == 0 { header.shown.isApart = true }
      sawData = true
    case "tRNS" where !body.isEmpty: header.alpha = true
    case "acTL" where !sawData && declaredFrames == nil: declaredFrames = reader.u32be(body.lowerBound).map { Int($0) }
    case "fcTL" where body.count >= 26: readFrameControl(body.lowerBound)
    case "cICP":
      header.hdr = reader.u8(body.lowerBound + 1).flatMap { MediaInfo.HDR(transferCharacteristics: Int($0)) }
      header.primaries = reader.u8(body.lowerBound).flatMap { MediaInfo.ColorPrimaries(colorPrimaries: Int($0)) }
    case "eXIf":
      // The standard eXIf chunk takes precedence over ImageMagick's text.
      let bytes = reader.bytes(body.lowerBound, min(body.count, EXIFBlock.byteLimit))
      header.exif = EXIFBlock(bytes, fileOffset: body.lowerBound)
    case "iCCP" where header.icc == nil && textsLeft > 0:
      textsLeft -= 1
      guard let text = PNGText(profileIn: body, reader) else { return }
      header.icc = ByteReader(text.value)
    case "tEXt", "zTXt", "iTXt":
      if textsLeft > 0, PNGText.read(name, body, reader, into: &header) { textsLeft -= 1 }
    default: break
    }
  }

  private mutating func readFrameControl(_ start: Int) {
    frameControls += 1
    endFrame()
    guard let delay = reader.u16be(start + 20), let unit = reader.u16be(start + 22) else { return }
    // A denominator of 0 means hundredths of a second.
    self.delay = Double(delay) / Double(unit == 0 ? 100 : unit)
    seconds += self.delay ?? 0
  }

  /// The data of a frame is complete. Viewers show as many frames as are announced.
  private mutating func endFrame() {
    if let delay, header.shown.delays.count < declaredFrames ?? 0 { header.shown.add(delay: delay) }
    delay = nil
  }

  /// Sets the frame count to the frames that exist, at most the announced number.
  private mutating func finishFrames() {
    guard header.size != nil else { return }
    header.frames = max(1, min(declaredFrames ?? 1, frameControls))
    if let frames = header.frames, frames > 1, seconds > 0 { header.duration = seconds }
    if declaredFrames != nil, frameControls > 0, header.shown.isApart { header.tracks = 2 }
  }
}
