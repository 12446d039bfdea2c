internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct JXLHeaderTests {
  /// Bits from the lowest of each byte, as the format writes them.
  private struct Bits {
    private(set) var bytes: [UInt8] = [0xFF, 0x0A]
    private var position = 16
    mutating func write(_ value: Int, _ count: Int) {
      for index in 0..<count {
        if position / 8 == bytes.count { bytes.append(0) }
        if value >> index & 1 == 1 { bytes[position / 8] |= 1 << UInt8(position % 8) }
        position += 1
      }
    }
  }

  private func codestream(_ rest: (inout Bits) -> Void) -> [UInt8] {
    var bits = Bits()
    bits.write(0, 1)  // not small
    bits.write(1, 2)  // 13 bits
    bits.write(3_299, 13)
    bits.write(0, 3)  // no ratio
    bits.write(1, 2)
    bits.write(2_549, 13)
    rest(&bits)
    bits.write(0, 64)
    return bits.bytes
  }

  private func facts(_ bytes: [UInt8]) -> MediaInfo { stillFacts(bytes, as: .jxl) }

  @Test func `Sizes are read in all forms`() {
    #expect(facts(codestream { $0.write(1, 1) }).displaySize == PixelSize(width: 2_550, height: 3_300))
    for (ratio, width) in [(1, 160), (2, 192), (3, 213), (4, 240), (5, 284), (6, 200), (7, 320)] {
      var bits = Bits()
      bits.write(1, 1)
      bits.write(19, 5)
      bits.write(ratio, 3)
      bits.write(1, 1)
      bits.write(0, 100)
      #expect(facts(bits.bytes).displaySize == PixelSize(width: width, height: 160))
    }
  }

  @Test func `All defaults are an upright still`() {
    let info = facts(codestream { $0.write(1, 1) })
    #expect(info.orientation == .up)
    #expect(info.alpha == false)
    #expect(info.frames == 1)
    #expect(info.error == nil)
  }

  /// Metadata with every optional header: orientation 6, an intrinsic size, a preview, an animation.
  private func everything(isAnimated: Bool, transfer: Int) -> [UInt8] {
    codestream { bits in
      bits.write(0, 1)
      bits.write(1, 1)  // extra fields
      bits.write(5, 3)  // orientation 6
      bits.write(1, 1)  // intrinsic size: small, 8 × 8
      bits.write(1, 1)
      bits.write(0, 5)
      bits.write(1, 3)
      bits.write(1, 1)  // preview: 16 high, a ratio
      bits.write(1, 1)
      bits.write(0, 2)
      bits.write(1, 3)
      bits.write(isAnimated ? 1 : 0, 1)
      if isAnimated {
        bits.write(0, 2)
        bits.write(0, 2)
        bits.write(2, 2)
        bits.write(0, 16)
        bits.write(0, 1)
      }
      bits.write(0, 1)  // integers of 8 bits
      bits.write(0, 2)
      bits.write(1, 1)
      bits.write(2, 2)  // 2 + 1 extra channels
      bits.write(1, 4)
      bits.write(0, 1)  // a depth channel with a name of three letters
      bits.write(1, 2)
      bits.write(0, 3)
      bits.write(0, 2)
      bits.write(1, 2)
      bits.write(3, 4)
      bits.write(0, 24)
      bits.write(0, 1)  // a spot color
      bits.write(2, 2)
      bits.write(0, 4)
      bits.write(0, 3)
      bits.write(0, 2)
      bits.write(0, 2)
      bits.write(0, 64)
      bits.write(1, 1)  // alpha by default
      bits.write(0, 1)  // no XYB
      bits.write(0, 1)  // color: no defaults, no profile, RGB, D65, sRGB primaries, no gamma
      bits.write(0, 1)
      bits.write(0, 2)
      bits.write(1, 2)
      bits.write(1, 2)
      bits.write(0, 1)
      bits.write(transfer < 18 ? 2 : 3, 2)
      bits.write(transfer < 18 ? transfer - 2 : transfer - 18, transfer < 18 ? 4 : 6)
    }
  }

  @Test func `Fields after every optional header are found`() {
    let still = facts(everything(isAnimated: false, transfer: 16))
    #expect(still.orientation == .right)
    #expect(still.displaySize == PixelSize(width: 3_300, height: 2_550))
    #expect(still.alpha == true)
    #expect(still.hdr == .pq)
    #expect(still.frames == 1)
    let animation = facts(everything(isAnimated: true, transfer: 18))
    #expect(animation.animated == true)
    #expect(animation.frames == nil)
    #expect(animation.hdr == .hlg)
  }

  @Test func `The container has the metadata, and the codestream the orientation`() {
    var exif = TIFFFixture(directories: [[]])
    exif.directories = [[exif.text(0x010F, "Maker"), exif.short(0x0112, 6)]]
    let parts = [
      box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), box("ftyp", ascii("jxl "), be32(0)),
      box("Exif", be32(2), [9, 9], exif.encoded),
      box("xml ", ascii(xmpPacket(attributes: "tiff:Model=\"M\""))),
      box("jxlp", be32(0), codestream { $0.write(1, 1) }),
      box("jxlp", be32(1), [0]),
    ]
    let info = facts(parts.flatMap { $0 })
    #expect(info.make == "Maker")
    #expect(info.model == "M")
    #expect(info.orientation == .up)
    #expect(info.displaySize == PixelSize(width: 2_550, height: 3_300))
    #expect(info.error == nil)
    #expect(info.hdr == nil)
    #expect(facts(box("jhgm", [0]) + parts.flatMap { $0 }).error?.code == .corrupt)
    #expect(facts(joined(parts[0], box("jhgm", [0]), parts[4])).hdr == .gainmap)
    #expect(facts(Array(parts.flatMap { $0 }.dropLast())).error?.code == .truncated)
    #expect(facts(parts.prefix(2).flatMap { $0 }).error?.code == .truncated)
  }

  @Test func `A truncated header has no size`() {
    #expect(facts([0xFF, 0x0A]).error?.code == .truncated)
    #expect(facts([0xFF, 0x0A]).width == nil)
    #expect(facts([0xFF, 0x0B, 0, 0]).error?.code == .corrupt)
  }

  @Test func `JPEG 2000 has its size`() {
    func codestream(_ right: Int, _ left: Int, end: [UInt8] = [0xFF, 0xD9]) -> [UInt8] {
      joined(
        [0xFF, 0x4F, 0xFF, 0x51], be16(41), be16(0), be32(right), be32(20), be32(left), be32(0),
        [UInt8](repeating: 0, count: 30), end)
    }
    let j2c = MediaType("image/j2c")
    #expect(stillFacts(codestream(50, 10), as: j2c).displaySize == PixelSize(width: 40, height: 20))
    #expect(stillFacts(codestream(10, 50), as: j2c).error?.code == .corrupt)
    #expect(stillFacts(codestream(50, 10, end: []), as: j2c).error?.code == .truncated)
    #expect(stillFacts(Array(codestream(50, 10).prefix(15)), as: j2c).error?.code == .truncated)

    var exif = TIFFFixture(directories: [[]])
    exif.directories = [[exif.text(0x010F, "Maker")]]
    let profile = ICCProfileTests.profile([("desc", ICCProfileTests.description2("A profile"))])
    let header = box(
      "jp2h", box("ihdr", be32(20), be32(40), be16(4), [7, 7, 0, 0]), box("colr", [2, 0, 0], profile),
      box("cdef", be16(2), joined(be16(0), be16(0), be16(1)), joined(be16(3), be16(1), be16(0))))
    let file = joined(
      box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]), box("ftyp", ascii("jp2 "), be32(0)), header,
      box("uuid", ascii("JpgTiffExif->JP2"), exif.encoded), box("jp2c", codestream(50, 10)))
    let info = stillFacts(file, as: MediaType("image/jp2"))
    #expect(info.displaySize == PixelSize(width: 40, height: 20))
    #expect(info.alpha == true)
    #expect(info.make == "Maker")
    #expect(info.colorProfile == "A profile")
    #expect(info.error == nil)
    #expect(stillFacts(Array(file.dropLast(40)), as: MediaType("image/jp2")).error?.code == .truncated)
    #expect(info.tracks == nil)
    let layers = stillFacts(
      joined(file, box("jp2c", codestream(50, 10)), box("jp2c", codestream(90, 10))), as: MediaType("image/jpx"))
    #expect(layers.tracks == 3, "readers of JPX may show another codestream")
    #expect(layers.displaySize == PixelSize(width: 40, height: 20))
  }
}
