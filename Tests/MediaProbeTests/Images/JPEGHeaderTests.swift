internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct JPEGHeaderTests {
  private func facts(_ fixture: JPEGFixture) -> MediaInfo { stillFacts(fixture.encoded, as: .jpeg) }

  private func exif(orientation: Int) -> [UInt8] {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.short(0x0112, orientation), fixture.text(0x010F, "Maker")]]
    return fixture.encoded
  }

  @Test(arguments: 1...8) func `Size is as displayed`(orientation: Int) {
    let info = facts(JPEGFixture(segments: [JPEGFixture.exif(exif(orientation: orientation))]))
    #expect(info.orientation?.rawValue == orientation)
    #expect(info.displaySize == (orientation < 5 ? PixelSize(width: 40, height: 30) : PixelSize(width: 30, height: 40)))
    #expect(info.make == "Maker")
    #expect(info.error == nil)
    #expect(info.alpha == false)
    #expect(info.frames == nil)
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCF] as [UInt8]) func `Every frame header has a size`(
    marker: UInt8
  ) {
    #expect(facts(JPEGFixture(marker: marker)).displaySize == PixelSize(width: 40, height: 30))
  }

  @Test func `Tables in the range of frame markers have no size`() {
    let tables: [(UInt8, [UInt8])] = [
      (0xC4, joined([0], be16(9), be16(9), [9])), (0xCC, joined([0], be16(8), be16(8), [8])),
    ]
    #expect(facts(JPEGFixture(segments: tables)).displaySize == PixelSize(width: 40, height: 30))
  }

  @Test func `Junk between segments is skipped`() {
    var bytes = JPEGFixture(segments: [(0xE0, ascii("JFIF\0"))]).encoded
    bytes.insert(contentsOf: [1, 2, 3, 0xFF, 0, 0xFF, 0xFF], at: 2 + 4 + 5)
    let info = stillFacts(bytes, as: .jpeg)
    #expect(info.displaySize == PixelSize(width: 40, height: 30))
    #expect(info.error == nil)
  }

  @Test func `An image without its end is truncated`() {
    #expect(facts(JPEGFixture(end: [])).error?.code == .truncated)
    #expect(facts(JPEGFixture(end: [0xFF])).error?.code == .truncated)
    // 0xFFD9 before the scan is no end: a thumbnail has one too.
    #expect(facts(JPEGFixture(segments: [(0xFE, [0xFF, 0xD9])], end: [])).error?.code == .truncated)
    #expect(facts(JPEGFixture(end: [])).width == 40)
  }

  @Test(arguments: [1, 2_040, 2_100, 70_000, 2_000_000]) func `Trailing data does not hide the end marker`(length: Int)
  {
    #expect(facts(JPEGFixture(trailer: Array(repeating: 0x55, count: length))).error == nil)
    #expect(
      windowedStillFacts(JPEGFixture(trailer: Array(repeating: 0xFF, count: length)).encoded, as: .jpeg).error == nil)
  }

  @Test func `An end marker across two reads is found`() {
    // The first search reads a megabyte from the scan on.
    for shift in 0..<4 {
      let scan = [UInt8](repeating: 0x55, count: 1_048_576 - 3 + shift)
      #expect(facts(JPEGFixture(scan: scan, trailer: Array(repeating: 0, count: 5_000))).error == nil)
    }
  }

  @Test func `A missing frame header is corrupt or truncated`() {
    #expect(stillFacts([0xFF, 0xD8, 0xFF, 0xD9], as: .jpeg).error?.code == .corrupt)
    #expect(stillFacts([0xFF, 0xD8, 0xFF, 0xE1, 0x20, 0, 1, 2], as: .jpeg).error?.code == .truncated)
    #expect(stillFacts([0xFF, 0xD8], as: .jpeg).error?.code == .truncated)
    #expect(stillFacts(Array(repeating: 0x41, count: 100), as: .jpeg).error?.code == .corrupt)
    #expect(stillFacts([], as: .jpeg).error?.code == .empty)
    let flat = facts(JPEGFixture(size: (40, 0)))
    #expect(flat.error?.code == .corrupt)
    #expect(flat.width == nil)
    #expect(flat.height == nil)
  }

  @Test func `A profile in several segments is joined in order`() {
    let profile = ICCProfileTests.profile([("desc", ICCProfileTests.description2("A profile in three parts"))])
    let parts = [profile[..<140], profile[140..<150], profile[150...]]
    let segments = [2, 0, 1].map { index -> (UInt8, [UInt8]) in
      (0xE2, joined(ascii("ICC_PROFILE\0"), [UInt8(index + 1), 3], Array(parts[index])))
    }
    #expect(facts(JPEGFixture(segments: segments)).colorProfile == "A profile in three parts")
  }

  @Test func `XMP provides facts that EXIF lacks`() {
    let packet = xmpPacket(
      attributes: """
        tiff:Make="Other" tiff:Model="XMP's" tiff:Orientation="6" exif:DateTimeOriginal="2020-01-02T03:04:05+01:00"
         exif:GPSLatitude="39,6.9N" exif:GPSLongitude="8,0E" exif:GPSAltitude="12/1" xmp:CreateDate="2021-01-01T00:00:00"
        """)
    let info = facts(JPEGFixture(segments: [JPEGFixture.exif(exif(orientation: 1)), JPEGFixture.xmp(packet)]))
    #expect(info.make == "Maker")
    #expect(info.model == "XMP's")
    #expect(info.orientation == .up)
    #expect(info.takenAt?.description == "2020-01-02T03:04:05+01:00")
    #expect(info.takenAtSource == .xmp)
    #expect(info.latitude == 39.115)
    #expect(info.longitude == 8)
    #expect(info.altitude == 12)
    // No decoder turns an image by XMP's orientation.
    #expect(facts(JPEGFixture(segments: [JPEGFixture.xmp(packet)])).orientation == nil)
  }

  @Test func `A title is preferred to a caption`() {
    var exif = TIFFFixture(directories: [[]])
    exif.directories = [[exif.text(0x010E, "Caption")]]
    let packet = xmpPacket(elements: "<dc:title><rdf:Alt><rdf:li>Title</rdf:li></rdf:Alt></dc:title>")
    #expect(facts(JPEGFixture(segments: [JPEGFixture.exif(exif.encoded)])).title == "Caption")
    #expect(facts(JPEGFixture(segments: [JPEGFixture.exif(exif.encoded), JPEGFixture.xmp(packet)])).title == "Title")
    exif.directories = [[exif.text(0x010E, "Caption"), exif.bytes(0x9C9B, [0x54, 0, 0x79, 0, 0, 0], type: 1)]]
    #expect(facts(JPEGFixture(segments: [JPEGFixture.exif(exif.encoded), JPEGFixture.xmp(packet)])).title == "Ty")
  }

  @Test func `Extended XMP adds missing properties`() {
    let extended = ascii(xmpPacket(attributes: "tiff:Make=\"Second\" tiff:Model=\"Extended\""))
    let half = extended.count / 2
    func part(_ range: Range<Int>) -> (UInt8, [UInt8]) {
      let head = joined(ascii("http://ns.adobe.com/xmp/extension/\0"), Array(repeating: 0x41, count: 32))
      return (0xE1, joined(head, be32(extended.count), be32(range.lowerBound), Array(extended[range])))
    }
    let segments = [
      JPEGFixture.xmp(xmpPacket(attributes: "tiff:Make=\"First\"")), part(0..<half), part(half..<extended.count),
    ]
    let info = facts(JPEGFixture(segments: segments))
    #expect(info.make == "First")
    #expect(info.model == "Extended")
  }

  @Test func `The thumbnail offset is relative to the file`() throws {
    let image = JPEGFixture(size: (16, 12)).encoded
    var tiff = TIFFFixture(directories: [[], []])
    tiff.data = image
    tiff.directories = [[tiff.text(0x010F, "Maker")], [tiff.long(0x0201, 0), tiff.long(0x0202, image.count)]]
    tiff.directories[1][0] = tiff.long(0x0201, tiff.dataOffset)
    let bytes = JPEGFixture(segments: [(0xE0, ascii("JFIF\0")), JPEGFixture.exif(tiff.encoded)]).encoded
    let thumbnail = try #require(stillFacts(bytes, as: .jpeg).embeddedThumbnail)
    let offset = try #require(thumbnail.offset)
    #expect(Array(bytes[offset..<offset + thumbnail.bytes]) == image)
    #expect(thumbnail.width == 16)
    #expect(thumbnail.height == 12)
  }

  @Test(arguments: [[0x55], [0xFF], [0xFF, 0xD0], [0xFF, 0x00]] as [[UInt8]]) func `Endless junk ends the walk`(
    junk: [UInt8]
  ) {
    var loaded = 0
    var growing = junk
    while growing.count < 2_000_000 { growing += growing }
    let bytes = [0xFF, 0xD8] + growing
    let reader = ByteReader(count: bytes.count) { (offset, count) throws(MediaFailure) in
      let part = Array(bytes[offset..<min(bytes.count, offset + count)])
      loaded += part.count
      return part
    }
    #expect(stillFacts(reader, as: .jpeg).error?.code == .corrupt)
    #expect(loaded < 1_300_000)
  }

  @Test func `Too many segments end the walk`() {
    let segments = [(marker: UInt8, body: [UInt8])](repeating: (0xFE, []), count: 5_000)
    #expect(facts(JPEGFixture(segments: segments)).error?.code == .corrupt)
  }
}
