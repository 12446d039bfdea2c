internal import MediaModel

/// Reads GIF (GIF89a specification): canvas, frames, delays, transparency.
///
/// Visits all blocks up to the trailer, because a GIF does not state its number of frames.
struct GIFHeader {
  private let reader: ByteReader
  private var header = StillHeader()
  private var frames = 0
  private var hundredths = 0
  /// The delay that the next frame has.
  private var delay = 0
  private var canvas = PixelSize(width: 0, height: 0)

  static func read(_ reader: ByteReader) -> StillHeader {
    var gif = GIFHeader(reader)
    gif.read()
    return gif.header
  }

  private init(_ reader: ByteReader) { self.reader = reader }

  private mutating func read() {
    guard reader.has("GIF8", at: 0) else {
      header.failure = .corruptImage("no GIF signature")
      return
    }
    guard let width = reader.u16le(6), let height = reader.u16le(8), let flags = reader.u8(10) else {
      header.failure = .truncatedImage
      return
    }
    canvas = PixelSize(width: Int(width), height: Int(height))
    header.alpha = false
    header.failure = walk(from: 13 + Self.colorTable(flags))
    if canvas.isPositive {
      header.size = canvas
    } else if header.failure == nil {
      header.failure = .corruptImage("width or height is 0")
    }
    if frames > 0 { header.frames = frames }
    // Sum of the stated delays. How a delay of 0 is played differs between players.
    if frames > 1, hundredths > 0 { header.duration = Double(hundredths) / 100 }
  }

  /// Visits the blocks; returns the damage, if any.
  private mutating func walk(from start: Int) -> MediaFailure? {
    var offset = start
    while let introducer = reader.u8(offset) {
      switch introducer {
      case 0x3B: return frames == 0 ? .corruptImage("no frame") : nil
      case 0x21:
        if reader.u8(offset + 1) == 0xF9, let flags = reader.u8(offset + 3), let delay = reader.u16le(offset + 4) {
          if flags & 1 != 0 { header.alpha = true }
          hundredths += Int(delay)
          self.delay = Int(delay)
        }
        guard let next = skipSubBlocks(offset + 2) else { return .truncatedImage }
        offset = next
      case 0x2C:
        guard let flags = readFrame(offset), let next = skipSubBlocks(offset + 11 + Self.colorTable(flags)) else {
          return .truncatedImage
        }
        // A graphic control extension is for one frame.
        header.shown.add(delay: Double(delay))
        delay = 0
        offset = next
      case 0x00: offset += 1  // a stray terminator between blocks, which decoders skip
      default: return .corruptImage("unknown block")
      }
    }
    // Many encoders omit the trailer; only a truncated block shows that data is missing.
    return frames == 0 ? .truncatedImage : nil
  }

  /// Reads an image descriptor and returns its flags.
  private mutating func readFrame(_ offset: Int) -> UInt8? {
    guard let x = reader.u16le(offset + 1), let y = reader.u16le(offset + 3), let width = reader.u16le(offset + 5),
      let height = reader.u16le(offset + 7), let flags = reader.u8(offset + 9)
    else { return nil }
    if frames == 0 {
      // The canvas grows to hold the first frame, as in libnsgif and therefore in libvips; later frames are clipped.
      let screen = canvas
      canvas.width = max(canvas.width, Int(x) + Int(width))
      canvas.height = max(canvas.height, Int(y) + Int(height))
      let coversCanvas = x == 0 && y == 0 && Int(width) >= screen.width && Int(height) >= screen.height
      if !coversCanvas { header.alpha = true }
    }
    frames += 1
    return flags
  }

  /// Size in bytes of the color table that the flags announce.
  private static func colorTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  /// The offset after a chain of sub-blocks; nil if the file ends first.
  private func skipSubBlocks(_ start: Int) -> Int? {
    var offset = start
    while let length = reader.u8(offset) {
      offset += Int(length) + 1
      if length == 0 { return offset }
    }
    return nil
  }
}
