internal import ISOBaseMedia
internal import MediaModel

/// Reads Photoshop documents (Adobe's file formats specification): the header and the image resources with metadata.
enum PSDHeader {
  /// Maximum number of resources, more than Photoshop defines.
  static let resourceLimit = 1_024

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    guard reader.has("8BPS", at: 0), let channels = reader.u16be(12), let height = reader.u32be(14),
      let width = reader.u32be(18), let mode = reader.u16be(24), let colorData = reader.u32be(26)
    else {
      header.failure = reader.count < 30 ? .truncatedImage : .corruptImage("no Photoshop header")
      return header
    }
    guard width > 0, height > 0, width <= 300_000, height <= 300_000 else {
      header.failure = .corruptImage("width or height is 0")
      return header
    }
    header.size = PixelSize(width: Int(width), height: Int(height))
    // Channels beyond those of the color mode; the first is the transparency of the merged image.
    let colors = [0: 1, 1: 1, 2: 1, 3: 3, 4: 4, 8: 1, 9: 3][Int(mode)] ?? Int(channels)
    header.alpha = Int(channels) > colors
    let resources = 30 + Int(colorData)
    guard let length = reader.u32be(resources), Int(length) <= reader.count - resources - 4 else {
      header.failure = .truncatedImage
      return header
    }
    readResources(reader, resources + 4..<resources + 4 + Int(length), into: &header)
    return header
  }

  private static func readResources(_ reader: ByteReader, _ range: Range<Int>, into header: inout StillHeader) {
    var offset = range.lowerBound
    for _ in 0..<resourceLimit {
      // Signature, ID, a name padded to an even length, the length of the data.
      guard reader.fourCC(offset) == "8BIM", let number = reader.u16be(offset + 4), let name = reader.u8(offset + 6)
      else {
        return
      }
      let sizeAt = offset + 6 + (Int(name) + 2) / 2 * 2
      guard let length = reader.u32be(sizeAt).map({ Int($0) }), length <= range.upperBound - sizeAt - 4 else { return }
      let start = sizeAt + 4
      switch number {
      case 1_039: header.icc = ByteReader([start..<start + length], of: reader)
      case 1_058 where header.exif == nil:
        header.exif = EXIFBlock(reader.bytes(start, min(length, EXIFBlock.byteLimit)), fileOffset: start)
      case 1_060 where header.xmp == nil: header.xmp = XMPPacket(reader.bytes(start, min(length, XMPPacket.byteLimit)))
      // A thumbnail after a header of 28 bytes.
      case 1_036 where length > 28:
        if let frame = JPEGFrame.first(in: reader, start + 28..<start + length), frame.isImage {
          header.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(
            width: frame.size.width, height: frame.size.height, bytes: length - 28, offset: start + 28)
        }
      default: break
      }
      offset = start + length + length % 2
    }
  }
}
