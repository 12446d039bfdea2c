internal import MediaModel
internal import Testing

@testable internal import MediaProbe

/// Gain maps and videos behind the image: stated, and there.
@Suite struct JPEGTrailerTests {
  private let video = joined(box("ftyp", ascii("mp42"), be32(0)), box("mdat", Array(repeating: 7, count: 300)))

  private func info(_ fixture: JPEGFixture) -> MediaInfo { windowedStillFacts(fixture.encoded, as: .jpeg) }

  private func directory(_ semantic: String, length: Int) -> String {
    xmpPacket(
      attributes: "GCamera:MotionPhoto=\"1\" hdrgm:Version=\"1.0\"",
      elements: """
        <Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary"/></rdf:li>
        <rdf:li><Container:Item Item:Semantic="\(semantic)" Item:Length="\(length)"/></rdf:li></rdf:Seq></Container:Directory>
        """)
  }

  @Test func `A motion photo has its video`() {
    let packet = JPEGFixture.xmp(directory("MotionPhoto", length: video.count))
    #expect(info(JPEGFixture(segments: [packet], trailer: video)).motionPhoto == true)
    #expect(info(JPEGFixture(segments: [packet], trailer: video)).error == nil)
    // The statement was copied, the video was not.
    #expect(info(JPEGFixture(segments: [packet])).motionPhoto == nil)
    #expect(info(JPEGFixture(segments: [packet], trailer: [0] + video.dropLast())).motionPhoto == nil)
  }

  @Test func `The older form of a motion photo is read`() {
    let packet = xmpPacket(attributes: "GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"\(video.count)\"")
    #expect(info(JPEGFixture(segments: [JPEGFixture.xmp(packet)], trailer: video)).motionPhoto == true)
  }

  @Test func `The trailer of Samsung's motion photos is read`() {
    func trailer(type: Int) -> [UInt8] {
      let block = joined([0, 0], le16(type), le32(16), ascii("MotionPhoto_Data"), video)
      let directory = joined(
        ascii("SEFH"), le32(107), le32(1), [0, 0], le16(type), le32(block.count), le32(block.count))
      return joined(block, directory, le32(directory.count), ascii("SEFT"))
    }
    #expect(info(JPEGFixture(trailer: trailer(type: 0x0A30))).motionPhoto == true)
    #expect(info(JPEGFixture(trailer: trailer(type: 0x0A31))).motionPhoto == nil)
    // A directory that points before the file.
    let lie = joined(ascii("SEFH"), le32(107), le32(1), [0, 0], le16(0x0A30), le32(0xFFFF_FFFF), le32(1))
    #expect(info(JPEGFixture(trailer: joined(lie, le32(lie.count), ascii("SEFT")))).motionPhoto == nil)
    #expect(info(JPEGFixture(trailer: joined(le32(0xFFFF_FFFF), ascii("SEFT")))).motionPhoto == nil)
  }

  /// An MPF index whose second image lies at a place in the file.
  private func index(_ images: [(offset: Int, length: Int)], bodyAt start: Int) -> (marker: UInt8, body: [UInt8]) {
    var tiff = TIFFFixture(isBigEndian: true, directories: [[]])
    let entries = images.flatMap {
      joined(be32(0), be32($0.length), be32($0.offset == 0 ? 0 : $0.offset - start - 4), be32(0))
    }
    tiff.directories = [[tiff.bytes(0xB002, entries)]]
    return (0xE2, ascii("MPF\0") + tiff.encoded)
  }

  private func twoImages(first: [(marker: UInt8, body: [UInt8])], second: JPEGFixture, keepsSecond: Bool = true)
    -> JPEGFixture
  {
    var fixture = JPEGFixture(segments: first)
    let bodyAt = fixture.bodyOffset(first.count)
    fixture.segments.append(index([(0, 0), (0, 0)], bodyAt: bodyAt))
    let end = fixture.encoded.count
    fixture.segments[first.count] = index([(0, end), (end, second.encoded.count)], bodyAt: bodyAt)
    if keepsSecond { fixture.trailer = second.encoded }
    return fixture
  }

  @Test func `A gain map must be declared and present`() {
    let packet = JPEGFixture.xmp(xmpPacket(attributes: "hdrgm:Version=\"1.0\""))
    let standard: (marker: UInt8, body: [UInt8]) = (0xE2, ascii("urn:iso:std:iso:ts:21496:-1\0") + [0, 0, 0, 0])
    for statement in [packet, standard] {
      let both = twoImages(first: [statement], second: JPEGFixture(size: (10, 7)))
      #expect(info(both).hdr == .gainmap)
      #expect(info(both).displaySize == PixelSize(width: 40, height: 30))
      #expect(info(twoImages(first: [statement], second: JPEGFixture(), keepsSecond: false)).hdr == nil)
    }
    #expect(info(twoImages(first: [], second: JPEGFixture(size: (10, 7)))).hdr == nil)
  }

  @Test("Another image of the index counts as a track if it has the size of the first and is not a gain map")
  func imagesOfTheSameSize() {
    #expect(info(twoImages(first: [], second: JPEGFixture())).tracks == 2)
    #expect(info(twoImages(first: [], second: JPEGFixture(size: (20, 15)))).tracks == nil, "a preview")
    #expect(info(twoImages(first: [], second: JPEGFixture(), keepsSecond: false)).tracks == nil, "it is missing")
    let packet = JPEGFixture.xmp(xmpPacket(attributes: "hdrgm:Version=\"1.0\""))
    let standard: (marker: UInt8, body: [UInt8]) = (0xE2, ascii("urn:iso:std:iso:ts:21496:-1\0") + [0, 0, 0, 0])
    for statement in [packet, standard] {
      #expect(info(twoImages(first: [statement], second: JPEGFixture(segments: [statement]))).tracks == nil)
      #expect(info(twoImages(first: [statement], second: JPEGFixture())).tracks == 2, "only the first states it")
    }
    #expect(info(JPEGFixture()).tracks == nil)
  }

  @Test func `The container directory alone may declare a gain map`() {
    let map = JPEGFixture(size: (10, 7)).encoded
    #expect(
      info(JPEGFixture(segments: [JPEGFixture.xmp(directory("GainMap", length: map.count))], trailer: map)).hdr
        == .gainmap)
    #expect(info(JPEGFixture(segments: [JPEGFixture.xmp(directory("GainMap", length: map.count))])).hdr == nil)
  }

  @Test func `A truncated image keeps its declared gain map`() {
    let packet = JPEGFixture.xmp(xmpPacket(attributes: "hdrgm:Version=\"1.0\""))
    let cut = info(JPEGFixture(segments: [packet], end: []))
    #expect(cut.hdr == .gainmap)
    #expect(cut.error?.code == .truncated)
  }

  @Test func `Apple's gain map is found by its own packet`() {
    let packet = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" HDRGainMap:HDRGainMapVersion="65536"/></rdf:RDF>
      """
    let map = JPEGFixture(size: (10, 7), segments: [JPEGFixture.xmp(packet)])
    #expect(info(twoImages(first: [], second: map)).hdr == .gainmap)
  }
}
