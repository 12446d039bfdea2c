internal import MediaModel
internal import Testing

@testable internal import MediaProbe

/// BMP and the formats with as little in their headers: ICO, QOI, TGA, WBMP, PSD.
@Suite struct BitmapHeaderTests {
  private func bmp(
    header: Int, width: Int, height: Int, depth: Int = 24, compression: Int = 0, mask: Int = 0, pixels: Int
  ) -> [UInt8] {
    var info: [UInt8]
    if header == 12 {
      info = joined(le32(12), le16(width), le16(height), le16(1), le16(depth))
    } else {
      info = joined(le32(header), le32(width), le32(height), le16(1), le16(depth), le32(compression))
      info += [UInt8](repeating: 0, count: max(0, header - info.count))
      if header >= 56 { info.replaceSubrange(52..<56, with: le32(mask)) }
    }
    let size = 14 + info.count
    return joined(ascii("BM"), le32(0), le32(0), le32(size), info, [UInt8](repeating: 0, count: pixels))
  }

  private func facts(_ bytes: [UInt8], _ type: MediaType = .bmp) -> MediaInfo { stillFacts(bytes, as: type) }

  @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124]) func `Every size of header is read`(header: Int) {
    let info = facts(bmp(header: header, width: 5, height: 4, pixels: 64))
    #expect(info.displaySize == PixelSize(width: 5, height: 4))
    #expect(info.alpha == false)
    #expect(info.error == nil)
    #expect(facts(bmp(header: header, width: 5, height: 4, pixels: 63)).error?.code == .truncated)
  }

  @Test func `Rows from the top down have a negative height`() {
    #expect(facts(bmp(header: 40, width: 5, height: -4, pixels: 64)).displaySize == PixelSize(width: 5, height: 4))
    #expect(facts(bmp(header: 40, width: 5, height: Int(Int32.min), pixels: 64)).height == 2_147_483_648)
    #expect(facts(bmp(header: 40, width: -5, height: 4, pixels: 64)).error?.code == .corrupt)
  }

  @Test func `Alpha has a mask`() {
    let masked = bmp(header: 124, width: 2, height: 2, depth: 32, compression: 3, mask: 0xFF00_0000, pixels: 16)
    #expect(facts(masked).alpha == true)
    #expect(facts(bmp(header: 124, width: 2, height: 2, depth: 32, compression: 3, pixels: 16)).alpha == false)
    #expect(facts(bmp(header: 124, width: 2, height: 2, depth: 32, mask: 0xFF00_0000, pixels: 16)).alpha == false)
    #expect(facts(bmp(header: 40, width: 2, height: 2, depth: 32, pixels: 16)).alpha == false)
  }

  @Test func `Compressed rows have no known length`() {
    #expect(facts(bmp(header: 40, width: 5_000, height: 4_000, depth: 8, compression: 1, pixels: 10)).error == nil)
    #expect(
      facts(bmp(header: 40, width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, depth: 32, pixels: 10)).error?.code == .truncated)
  }

  private func icon(_ entries: [(side: Int, data: [UInt8])]) -> [UInt8] {
    var directory = joined(le16(0), le16(1), le16(entries.count))
    var start = 6 + 16 * entries.count
    for entry in entries {
      directory += joined(
        [UInt8(truncatingIfNeeded: entry.side), UInt8(truncatingIfNeeded: entry.side), 0, 0], le16(1), le16(32),
        le32(entry.data.count), le32(start))
      start += entry.data.count
    }
    return directory + entries.flatMap(\.data)
  }

  private func iconBitmap(_ width: Int, _ height: Int) -> [UInt8] {
    joined(
      le32(40), le32(width), le32(height), le16(1), le16(32), [UInt8](repeating: 0, count: 24 + 4 * width * height))
  }

  @Test func `The facts of an icon are those of its largest image`() {
    let ico = MediaType("image/vnd.microsoft.icon")
    let png = pngFixture([("IHDR", pngHeader(512, 512)), ("IEND", [])])
    #expect(facts(icon([(16, iconBitmap(16, 32)), (32, iconBitmap(32, 64)), (8, iconBitmap(8, 16))]), ico).width == 32)
    #expect(facts(icon([(16, iconBitmap(16, 32)), (0, png)]), ico).displaySize == PixelSize(width: 512, height: 512))
    #expect(facts(icon([(0, iconBitmap(256, 512))]), ico).width == 256)
    #expect(facts(icon([(16, iconBitmap(16, 32))]), ico).error == nil)
    let lie = facts(icon([(16, iconBitmap(20_000, 2))]), ico)
    #expect(lie.width == 16)
    #expect(lie.error?.code == .corrupt)
    #expect(facts(icon([(16, iconBitmap(16, 2_000))]), ico).error?.code == .corrupt)
    #expect(facts(icon([]), ico).error?.code == .corrupt)
    #expect(facts(joined(le16(0), le16(1), le16(65_535)), ico).error?.code == .truncated)
  }

  @Test("QOI has its size and alpha") func qoi() {
    let type = MediaType("image/x-qoi")
    func qoi(_ width: Int, channels: UInt8, end: [UInt8]) -> [UInt8] {
      joined(ascii("qoif"), be32(width), be32(3), [channels, 0], [1, 2, 3], end)
    }
    #expect(facts(qoi(4, channels: 4, end: be64(1)), type).displaySize == PixelSize(width: 4, height: 3))
    #expect(facts(qoi(4, channels: 4, end: be64(1)), type).alpha == true)
    #expect(facts(qoi(4, channels: 3, end: be64(1)), type).alpha == false)
    #expect(facts(qoi(4, channels: 3, end: be32(1)), type).error?.code == .truncated)
    #expect(facts(qoi(0, channels: 3, end: be64(1)), type).error?.code == .corrupt)
    #expect(facts(ascii("qoif"), type).error?.code == .truncated)
  }

  @Test("TGA has its size and alpha") func tga() {
    let type = MediaType("image/x-tga")
    func tga(kind: UInt8, depth: UInt8, descriptor: UInt8, pixels: Int) -> [UInt8] {
      joined(
        [2, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0], le16(4), le16(3), [depth, descriptor, 9, 9],
        [UInt8](repeating: 0, count: pixels))
    }
    #expect(
      facts(tga(kind: 2, depth: 32, descriptor: 8, pixels: 48), type).displaySize == PixelSize(width: 4, height: 3))
    #expect(facts(tga(kind: 2, depth: 32, descriptor: 8, pixels: 48), type).alpha == true)
    #expect(facts(tga(kind: 2, depth: 24, descriptor: 0x20, pixels: 36), type).alpha == false)
    #expect(facts(tga(kind: 2, depth: 24, descriptor: 0x20, pixels: 36), type).error == nil)
    #expect(facts(tga(kind: 2, depth: 24, descriptor: 0x20, pixels: 35), type).error?.code == .truncated)
    #expect(facts(tga(kind: 10, depth: 24, descriptor: 0x20, pixels: 5), type).error == nil)
  }

  @Test func `WBMP has its size`() {
    let type = MediaType("image/vnd.wap.wbmp")
    #expect(
      facts([0, 0, 0x81, 0x00, 2] + [UInt8](repeating: 0, count: 32), type).displaySize
        == PixelSize(width: 128, height: 2))
    #expect(facts([0, 0, 0x81, 0x00, 2] + [UInt8](repeating: 0, count: 31), type).error?.code == .truncated)
    #expect(facts([0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], type).error?.code == .corrupt)
    #expect(facts([0, 0, 0, 5], type).error?.code == .corrupt)
  }

  @Test func `A WBMP is detected by its length`() {
    func type(_ bytes: [UInt8]) -> MediaType? { TypeDecider.bySignature(ByteReader(bytes)) }
    let image: [UInt8] = [0, 0, 0x81, 0x00, 2] + [UInt8](repeating: 0xAA, count: 32)
    #expect(type(image) == MediaType("image/vnd.wap.wbmp"))
    #expect(type(image + [0]) == nil)
    #expect(type(image.dropLast()) == nil)
    #expect(type([0, 0, 0, 0]) == nil)
    #expect(type([0, 0, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
  }

  @Test("PSD has its size") func psd() {
    let type = MediaType("image/vnd.adobe.photoshop")
    func psd(channels: Int, mode: Int, resources: [UInt8]) -> [UInt8] {
      joined(
        ascii("8BPS"), be16(1), [0, 0, 0, 0, 0, 0], be16(channels), be32(30), be32(40), be16(8), be16(mode), be32(0),
        be32(resources.count), resources, [0])
    }
    func resource(_ number: Int, _ data: [UInt8]) -> [UInt8] {
      joined(ascii("8BIM"), be16(number), [1, 0x41], be32(data.count), data, data.count % 2 == 1 ? [0] : [])
    }
    var exif = TIFFFixture(directories: [[]])
    exif.directories = [[exif.text(0x010F, "Maker")]]
    let thumbnail = JPEGFixture(size: (16, 12)).encoded
    let resources = joined(
      resource(1_000, [1, 2, 3]), resource(1_058, exif.encoded),
      resource(1_060, ascii(xmpPacket(attributes: "tiff:Model=\"M\""))),
      resource(1_036, [UInt8](repeating: 0, count: 28) + thumbnail))
    let bytes = psd(channels: 4, mode: 3, resources: resources)
    let info = facts(bytes, type)
    #expect(info.displaySize == PixelSize(width: 40, height: 30))
    #expect(info.alpha == true)
    #expect(info.make == "Maker")
    #expect(info.model == "M")
    #expect(info.embeddedThumbnail?.width == 16)
    if let offset = info.embeddedThumbnail?.offset {
      #expect(Array(bytes[offset..<offset + thumbnail.count]) == thumbnail)
    }
    #expect(facts(psd(channels: 3, mode: 3, resources: []), type).alpha == false)
    #expect(facts(psd(channels: 4, mode: 4, resources: []), type).alpha == false)
    #expect(facts(Array(bytes.prefix(40)), type).error?.code == .truncated)
  }
}
