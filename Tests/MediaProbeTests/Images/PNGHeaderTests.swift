internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct PNGHeaderTests {
  private func facts(_ chunks: [(name: String, body: [UInt8])]) -> MediaInfo {
    stillFacts(pngFixture(chunks), as: .png)
  }
  private let data: (name: String, body: [UInt8]) = ("IDAT", [1, 2, 3])
  private let end: (name: String, body: [UInt8]) = ("IEND", [])

  @Test(arguments: [(0, false), (2, false), (3, false), (4, true), (6, true)] as [(UInt8, Bool)])
  func `Alpha follows the color type`(colour: UInt8, alpha: Bool) {
    let info = facts([("IHDR", pngHeader(7, 5, colour: colour)), data, end])
    #expect(info.displaySize == PixelSize(width: 7, height: 5))
    #expect(info.alpha == alpha)
    #expect(info.frames == 1)
    #expect(info.animated == false)
    #expect(info.error == nil)
  }

  @Test func `A transparent color is alpha too`() {
    #expect(facts([("IHDR", pngHeader(7, 5, colour: 3)), ("tRNS", [0]), data, end]).alpha == true)
  }

  @Test func `Frames and their delays are counted`() {
    let info = facts([
      ("IHDR", pngHeader(8, 8)), ("acTL", be32(3) + be32(0)), ("fcTL", pngFrame(0, delay: 1, unit: 10)), data,
      ("fcTL", pngFrame(1, delay: 25, unit: 0)), ("fdAT", [0]), ("fcTL", pngFrame(2, delay: 1, unit: 4)), ("fdAT", [0]),
      end,
    ])
    #expect(info.frames == 3)
    #expect(info.animated == true)
    #expect(info.duration == 0.6)
  }

  @Test func `A wrong frame count is ignored`() {
    let frame = ("fcTL", pngFrame(0, delay: 1, unit: 10))
    #expect(facts([("IHDR", pngHeader(8, 8)), ("acTL", be32(0x7FFF_FFFF) + be32(0)), frame, data, end]).frames == 1)
    #expect(facts([("IHDR", pngHeader(8, 8)), ("acTL", be32(0) + be32(0)), frame, data, frame, end]).frames == 1)
    // An announcement behind the image counts for nothing.
    #expect(facts([("IHDR", pngHeader(8, 8)), data, ("acTL", be32(2) + be32(0)), frame, frame, end]).frames == 1)
  }

  @Test func `A missing end chunk is truncation`() {
    let whole = pngFixture([("IHDR", pngHeader(7, 5)), data, end])
    for count in [whole.count - 1, whole.count - 12, whole.count - 20, 33, 32, 20, 9] {
      let info = stillFacts(Array(whole.prefix(count)), as: .png)
      #expect(info.error?.code == .truncated, "\(count)")
      #expect(info.width == (count >= 26 ? 7 : nil), "\(count)")
    }
    #expect(stillFacts(whole + [1, 2, 3], as: .png).error == nil)
  }

  @Test func `Junk instead of a chunk is corrupt`() {
    let broken = pngFixture([("IHDR", pngHeader(7, 5)), data]) + Array(repeating: 0xEE, count: 40)
    #expect(stillFacts(broken, as: .png).error?.code == .corrupt)
    #expect(facts([("IHDR", pngHeader(0, 5)), data, end]).error?.code == .corrupt)
    #expect(facts([("IHDR", be32(0x8000_0000) + be32(5) + [8, 2, 0, 0, 0]), data, end]).error?.code == .corrupt)
    #expect(facts([("IDAT", Array(repeating: 0, count: 30)), end]).error?.code == .corrupt)
  }

  private func exif(_ make: String) -> [UInt8] {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.text(0x010F, make), fixture.short(0x0112, 6)]]
    return fixture.encoded
  }

  /// A zlib stream of one stored block, which needs no compressor.
  private func zlib(_ bytes: [UInt8]) -> [UInt8] {
    joined([0x78, 0x01, 0x01], le16(bytes.count), le16(~bytes.count), bytes, be32(0))
  }

  private func hexadecimal(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return ascii("\n\(name)\n    \(bytes.count)\n\(digits)\n")
  }

  @Test func `EXIF comes in a chunk or in ImageMagick's text`() {
    let chunk = facts([("IHDR", pngHeader(7, 5)), data, ("eXIf", exif("Chunk")), end])
    #expect(chunk.make == "Chunk")
    #expect(chunk.displaySize == PixelSize(width: 5, height: 7))
    let text = ascii("Raw profile type exif\0") + hexadecimal("exif", ascii("Exif\0\0") + exif("Text"))
    #expect(facts([("IHDR", pngHeader(7, 5)), ("tEXt", text), data, end]).make == "Text")
    let packed = ascii("Raw profile type APP1\0") + [0] + zlib(hexadecimal("APP1", ascii("Exif\0\0") + exif("Packed")))
    #expect(facts([("IHDR", pngHeader(7, 5)), ("zTXt", packed), data, end]).make == "Packed")
    // The chunk wins, wherever it stands.
    #expect(facts([("IHDR", pngHeader(7, 5)), ("tEXt", text), data, ("eXIf", exif("Chunk")), end]).make == "Chunk")
  }

  @Test func `XMP may be compressed`() {
    let packet = ascii(xmpPacket(attributes: "tiff:Make=\"XMP\""))
    let plain = joined(ascii("XML:com.adobe.xmp\0"), [0, 0], ascii("en\0\0"), packet)
    let packed = joined(ascii("XML:com.adobe.xmp\0"), [1, 0, 0, 0], zlib(packet))
    for text in [plain, packed] {
      #expect(facts([("IHDR", pngHeader(7, 5)), ("iTXt", text), data, end]).make == "XMP")
    }
    #expect(facts([("IHDR", pngHeader(7, 5)), ("iTXt", ascii("XML:com.adobe.xmp\0")), data, end]).make == nil)
  }

  @Test func `Title and author are text chunks`() {
    let info = facts([
      ("IHDR", pngHeader(7, 5)), ("tEXt", ascii("Title\0A lake")), ("tEXt", ascii("Author\0Somebody")),
      ("tEXt", ascii("Title\0Another")), data, end,
    ])
    #expect(info.title == "A lake")
    #expect(info.artist == "Somebody")
  }

  @Test func `The profile is inflated within a limit`() {
    let profile = ICCProfileTests.profile([("desc", ICCProfileTests.description2("A profile"))])
    #expect(
      facts([("IHDR", pngHeader(7, 5)), ("iCCP", ascii("name\0") + [0] + zlib(profile)), data, end]).colorProfile
        == "A profile")
    #expect(facts([("IHDR", pngHeader(7, 5)), ("iCCP", ascii("name")), data, end]).colorProfile == nil)
  }

  @Test func `Thousands of compressed texts are not inflated`() {
    // Each looks like a profile without being one, so none is found.
    let text = ("zTXt", ascii("Raw profile type exif\0") + [0] + zlib(ascii("nothing")))
    let wanted = ("zTXt", ascii("Raw profile type exif\0") + [0] + zlib(hexadecimal("exif", exif("Late"))))
    func info(_ count: Int) -> MediaInfo {
      facts([("IHDR", pngHeader(7, 5))] + Array(repeating: text, count: count) + [wanted, data, end])
    }
    #expect(info(31).make == "Late")
    #expect(info(32).make == nil)
    #expect(info(5_000).error == nil)
  }

  @Test func `HDR is a code point`() {
    #expect(facts([("IHDR", pngHeader(7, 5)), ("cICP", [9, 16, 0, 1]), data, end]).hdr == .pq)
    #expect(facts([("IHDR", pngHeader(7, 5)), ("cICP", [9, 18, 0, 1]), data, end]).hdr == .hlg)
    #expect(facts([("IHDR", pngHeader(7, 5)), ("cICP", [9, 18, 0, 1]), data, end]).colorPrimaries == .bt2020)
    #expect(facts([("IHDR", pngHeader(7, 5)), ("cICP", [12, 16, 0, 1]), data, end]).colorPrimaries == .p3)
    #expect(facts([("IHDR", pngHeader(7, 5)), ("cICP", [12, 13, 0, 1]), data, end]).colorPrimaries == nil)
    #expect(facts([("IHDR", pngHeader(7, 5)), ("cICP", [9]), data, end]).hdr == nil)
  }

  @Test func `Pixel data is not read`() {
    let chunks =
      [("IHDR", pngHeader(7, 5))] + (0..<50).map { _ in ("IDAT", [UInt8](repeating: 0, count: 100_000)) } + [end]
    let bytes = pngFixture(chunks)
    var loaded = 0
    let reader = ByteReader(count: bytes.count) { (offset, count) throws(MediaFailure) in
      let part = Array(bytes[offset..<min(bytes.count, offset + count)])
      loaded += part.count
      return part
    }
    #expect(stillFacts(reader, as: .png).error == nil)
    #expect(loaded < 70_000)
  }
}
