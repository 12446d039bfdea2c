internal import MediaModel

/// Portable pixmaps are how other tools hand us pixels: `ffmpeg -i x.webp -f image2pipe -c:v pam -pix_fmt rgba -`,
/// `vips copy x.jpg out.ppm`. Formats: netpbm.sourceforge.net/doc/ppm.html, pgm.html, pam.html.
extension PixelBuffer {
  /// What is wrong with a portable pixmap.
  public struct PNMError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String
  }

  /// Reads a binary pixmap: P5 (grey), P6 (RGB) or P7 (PAM with 1…4 channels), 8 or 16 bits, of which 8 are kept.
  public init(pnm bytes: [UInt8]) throws {
    var reader = PNMReader(bytes: bytes)
    let header = try reader.header()
    let size = PixelSize(width: header.width, height: header.height)
    let sampleBytes = header.maximum > 255 ? 2 : 1
    guard size.isPositive, size.pixelCount <= 1 << 28 else {
      throw PNMError(description: "size \(size) is out of range")
    }
    let needed = size.pixelCount * header.depth * sampleBytes
    guard bytes.count - reader.position >= needed else {
      throw PNMError(description: "\(needed) bytes of samples expected, \(bytes.count - reader.position) found")
    }
    let start = reader.position
    if header.maximum == 255, header.depth > 2 {
      let rgba = Self.rgba(bytes[start..<start + needed], channels: header.depth)
      guard let image = PixelBuffer(size: size, rgba: rgba) else { throw PNMError(description: "size \(size)") }
      self = image
      return
    }
    func sample(_ index: Int) -> UInt8 {
      let value =
        sampleBytes == 1
        ? Int(bytes[start + index]) : Int(bytes[start + index * 2]) << 8 | Int(bytes[start + index * 2 + 1])
      return UInt8(clamping: (value * 255 + header.maximum / 2) / header.maximum)
    }
    self.init(width: size.width, height: size.height) { x, y in
      let at = (y * size.width + x) * header.depth
      let grey = header.depth < 3
      let color = grey ? [sample(at), sample(at), sample(at)] : [sample(at), sample(at + 1), sample(at + 2)]
      return color + [header.depth.isMultiple(of: 2) ? sample(at + header.depth - 1) : 255]
    }
  }

  /// The image as a PAM file (P7, RGB_ALPHA), for tools that read it.
  public var pam: [UInt8] {
    Array("P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".utf8) + rgba
  }
}

/// Walks the text header of a portable pixmap.
private struct PNMReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func header() throws -> (width: Int, height: Int, depth: Int, maximum: Int) {
    let magic = word()
    var header: (width: Int, height: Int, depth: Int, maximum: Int)
    switch magic {
    case "P5", "P6":
      header = (try number(), try number(), magic == "P5" ? 1 : 3, try number())
      // Exactly one white space byte stands between the header and the samples.
      position += 1
    case "P7":
      header = (0, 0, 0, 0)
      reading: while true {
        let key = word()
        switch key {
        case "WIDTH": header.width = try number()
        case "HEIGHT": header.height = try number()
        case "DEPTH": header.depth = try number()
        case "MAXVAL": header.maximum = try number()
        case "TUPLTYPE": skipLine()
        case "ENDHDR":
          position += 1
          break reading
        default: throw PixelBuffer.PNMError(description: "unknown PAM header line “\(key)”")
        }
      }
    default: throw PixelBuffer.PNMError(description: "not P5, P6 or P7")
    }
    guard (1...4).contains(header.depth), (1...65_535).contains(header.maximum) else {
      throw PixelBuffer.PNMError(description: "depth \(header.depth) or maximum \(header.maximum) is out of range")
    }
    return header
  }

  /// The next word; skips white space, and comments from `#` to the end of the line.
  private mutating func word() -> String {
    while position < bytes.count, bytes[position] == UInt8(ascii: "#") || isSpace(bytes[position]) {
      if bytes[position] == UInt8(ascii: "#") { skipLine() } else { position += 1 }
    }
    let start = position
    while position < bytes.count, !isSpace(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func number() throws -> Int {
    let text = word()
    guard let number = Int(text), number >= 0, number <= Int(Int32.max) else {
      throw PixelBuffer.PNMError(description: "“\(text)” is not a number in range")
    }
    return number
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
