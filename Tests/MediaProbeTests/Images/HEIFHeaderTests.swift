internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct HEIFHeaderTests {
  private func facts(_ fixture: HEIFFixture) -> MediaInfo { windowedStillFacts(fixture.encoded, as: .heic) }

  /// One image of 40×30 with more properties.
  private func still(_ properties: [UInt8]...) -> HEIFFixture {
    HEIFFixture(
      items: [.init(properties: Array(1...properties.count + 1), data: Array(repeating: 1, count: 50))],
      properties: [HEIFFixture.size(40, 30)] + properties)
  }

  private func crop(_ width: (Int, Int), _ height: (Int, Int)) -> [UInt8] {
    box("clap", be32(width.0), be32(width.1), be32(height.0), be32(height.1), be32(0), be32(1), be32(0), be32(1))
  }

  @Test func `A still has a size and one frame`() {
    let info = facts(still())
    #expect(info.displaySize == PixelSize(width: 40, height: 30))
    #expect(info.frames == 1)
    #expect(info.animated == false)
    #expect(info.alpha == false)
    #expect(info.error == nil)
    #expect(info.orientation == nil)
  }

  @Test func `Crop and turn apply in their order`() {
    #expect(facts(still(box("irot", [1]))).displaySize == PixelSize(width: 30, height: 40))
    #expect(facts(still(box("irot", [2]))).displaySize == PixelSize(width: 40, height: 30))
    #expect(facts(still(box("imir", [1]))).displaySize == PixelSize(width: 40, height: 30))
    #expect(facts(still(crop((20, 1), (20, 2)), box("irot", [3]))).displaySize == PixelSize(width: 10, height: 20))
    // A crop that is larger than the image, or divided by zero, is ignored.
    #expect(facts(still(crop((41, 1), (30, 1)))).displaySize == PixelSize(width: 40, height: 30))
    #expect(facts(still(crop((20, 0), (20, 0)))).displaySize == PixelSize(width: 40, height: 30))
  }

  @Test func `The orientation in EXIF is reported and turns nothing`() {
    var exif = TIFFFixture(directories: [[]])
    exif.directories = [[exif.short(0x0112, 6), exif.text(0x010F, "Maker")]]
    for construction in [0, 1] {
      var fixture = still()
      fixture.items.append(
        .init(type: "Exif", data: joined(be32(6), ascii("Exif\0\0"), exif.encoded), construction: construction))
      fixture.references = [("cdsc", 2, [1])]
      let info = facts(fixture)
      #expect(info.make == "Maker")
      #expect(info.orientation == .right)
      #expect(info.displaySize == PixelSize(width: 40, height: 30))
    }
  }

  @Test func `The thumbnail in EXIF has its offset in the file`() throws {
    let image = JPEGFixture(size: (16, 12)).encoded
    var tiff = TIFFFixture(directories: [[], []], data: image)
    tiff.directories = [[tiff.text(0x010F, "Maker")], [tiff.long(0x0201, 0), tiff.long(0x0202, image.count)]]
    tiff.directories[1][0] = tiff.long(0x0201, tiff.dataOffset)
    var fixture = still()
    fixture.items.append(.init(type: "Exif", data: be32(0) + tiff.encoded))
    let thumbnail = try #require(facts(fixture).embeddedThumbnail)
    let offset = try #require(thumbnail.offset)
    #expect(Array(fixture.encoded[offset..<offset + thumbnail.bytes]) == image)
  }

  @Test func `Metadata of the primary item has priority`() {
    func packet(_ make: String) -> HEIFFixture.Item {
      .init(
        type: "mime", contentType: "application/rdf+xml", data: ascii(xmpPacket(attributes: "tiff:Make=\"\(make)\"")))
    }
    var fixture = still()
    fixture.items += [packet("Other"), packet("Ours"), .init(type: "mime", contentType: "text/plain", data: [1])]
    fixture.references = [("cdsc", 3, [1])]
    #expect(facts(fixture).make == "Ours")
  }

  @Test func `Auxiliary items are alpha or gain maps`() {
    func info(_ urn: String, to master: Int = 1) -> MediaInfo {
      var fixture = still(HEIFFixture.auxiliary(urn))
      fixture.items[0].properties = [1]
      fixture.items.append(.init(properties: [1, 2], data: [1]))
      fixture.references = [("auxl", 2, [master])]
      return facts(fixture)
    }
    #expect(info("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha").alpha == true)
    #expect(info("urn:mpeg:hevc:2015:auxid:1").alpha == true)
    #expect(info("urn:mpeg:hevc:2015:auxid:2").alpha == false)
    #expect(info("urn:mpeg:hevc:2015:auxid:1", to: 7).alpha == false)
    #expect(info("urn:com:apple:photo:2020:aux:hdrgainmap").hdr == .gainmap)
  }

  @Test func `A derived tone map is a gain map unless the image is HDR itself`() {
    var fixture = still(HEIFFixture.colour(transfer: 13))
    fixture.items += [.init(type: "tmap", data: [0]), .init(properties: [1], data: [1])]
    fixture.references = [("dimg", 2, [1, 3])]
    #expect(facts(fixture).hdr == .gainmap)
    #expect(facts(fixture).colorPrimaries == nil)
    fixture.properties[1] = HEIFFixture.colour(transfer: 16)
    #expect(facts(fixture).hdr == .pq)
    #expect(facts(fixture).colorPrimaries == .bt2020)
    #expect(facts(still(HEIFFixture.colour(transfer: 18))).hdr == .hlg)
  }

  @Test func `A grid states its size, and its tiles the color`() {
    let grid = joined([0, 0, 1, 1], be16(64), be16(48))
    var fixture = HEIFFixture(
      items: [.init(type: "grid", data: grid, construction: 1)],
      properties: [HEIFFixture.size(32, 24), HEIFFixture.colour(transfer: 18)])
    for _ in 0..<4 { fixture.items.append(.init(properties: [1, 2], data: [1])) }
    fixture.references = [("dimg", 1, [2, 3, 4, 5])]
    #expect(facts(fixture).displaySize == PixelSize(width: 64, height: 48))
    #expect(facts(fixture).hdr == .hlg)
    // A tile that is not there.
    fixture.items[4].extent = (1_000_000, 10)
    #expect(facts(fixture).error?.code == .truncated)
  }

  @Test func `Thumbnails are measured but not extracted`() {
    var fixture = still(HEIFFixture.size(8, 6), HEIFFixture.size(16, 12))
    fixture.items[0].properties = [1]
    fixture.items += [.init(properties: [2], data: [1, 2]), .init(properties: [3], data: [1, 2, 3])]
    fixture.references = [("thmb", 2, [1]), ("thmb", 3, [1])]
    #expect(facts(fixture).embeddedThumbnail == MediaInfo.EmbeddedThumbnail(width: 16, height: 12, bytes: 3))
  }

  @Test func `A motion photo keeps its video in a box or behind all`() {
    let video = joined(box("ftyp", ascii("mp42"), be32(0)), box("moov", box("trak", [])))
    for trailer in [box("mpvd", video), video] {
      var fixture = still()
      fixture.trailer = trailer
      #expect(facts(fixture).motionPhoto == true)
      #expect(facts(fixture).frames == 1)
    }
    var fixture = still()
    fixture.trailer = box("mpvd", [1, 2, 3])
    #expect(facts(fixture).motionPhoto == nil)
  }

  @Test func `Invalid references never trap`() {
    // Indices of properties out of range.
    var fixture = still()
    fixture.items[0].properties = [0, 99, 1]
    #expect(facts(fixture).displaySize == PixelSize(width: 40, height: 30))
    fixture.items[0].properties = [99]
    #expect(facts(fixture).width == nil)
    #expect(facts(fixture).error?.code == .corrupt)
    // Data beyond the file.
    fixture = still()
    fixture.items[0].extent = (0xFFFF_FFFF, 0xFFFF_FFFF)
    #expect(facts(fixture).error?.code == .truncated)
    fixture.items.append(.init(type: "Exif", extent: (0xFFFF_FFF0, 100)))
    #expect(facts(fixture).width == 40)
    // No primary item, and one that is not there.
    fixture = still()
    fixture.primary = 9
    #expect(facts(fixture).error?.code == .corrupt)
    // Boxes of no size and boxes of less than their head.
    for size in [0, 1, 4, 7] {
      let bytes = joined(box("ftyp", ascii("heic"), be32(0)), be32(size), ascii("meta"), Array(repeating: 0, count: 20))
      #expect(stillFacts(bytes, as: .heic).error?.code == .corrupt)
    }
    #expect(stillFacts(joined(box("ftyp", ascii("heic")), be32(1), ascii("meta"), be64(-1)), as: .heic).error != nil)
    #expect(stillFacts(ascii("nothing at all"), as: .heic).error?.code == .corrupt)
  }

  @Test func `A shortened data box is truncated`() {
    let whole = still().encoded
    let info = stillFacts(Array(whole.dropLast(10)), as: .heic)
    #expect(info.error?.code == .truncated)
    #expect(info.width == 40)
  }
}
