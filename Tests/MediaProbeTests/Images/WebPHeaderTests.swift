internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct WebPHeaderTests {
  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    joined(ascii(name), le32(body.count), body, body.count % 2 == 1 ? [0] : [])
  }

  private func webp(_ chunks: [UInt8]..., missing: Int = 0) -> [UInt8] {
    let body = chunks.flatMap { $0 }
    return joined(ascii("RIFF"), le32(body.count + 4 + missing), ascii("WEBP"), body)
  }

  private func extended(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
    chunk("VP8X", joined([flags, 0, 0, 0], Array(le32(width - 1).prefix(3)), Array(le32(height - 1).prefix(3))))
  }

  private let lossy = joined([0x10, 0, 0], [0x9D, 0x01, 0x2A], le16(0x4000 | 33), le16(0x8000 | 22))
  private func lossless(alpha: Bool) -> [UInt8] { joined([0x2F], le32((alpha ? 1 << 28 : 0) | 21 << 14 | 32)) }

  private func frame(milliseconds: Int) -> [UInt8] {
    let place = [[UInt8]](repeating: [0, 0, 0], count: 4).flatMap { $0 }
    return chunk("ANMF", joined(place, Array(le32(milliseconds).prefix(3)), [0], chunk("VP8 ", lossy)))
  }

  private func facts(_ bytes: [UInt8]) -> MediaInfo { stillFacts(bytes, as: .webp) }

  @Test func `Each of the three kinds of header has a size`() {
    let plain = facts(webp(chunk("VP8 ", lossy)))
    #expect(plain.displaySize == PixelSize(width: 33, height: 22))
    #expect(plain.alpha == false)
    #expect(plain.frames == 1)
    #expect(plain.error == nil)
    #expect(facts(webp(chunk("VP8L", lossless(alpha: true)))).displaySize == PixelSize(width: 33, height: 22))
    #expect(facts(webp(chunk("VP8L", lossless(alpha: true)))).alpha == true)
    #expect(facts(webp(chunk("VP8L", lossless(alpha: false)))).alpha == false)
    let canvas = facts(webp(extended(16_777_216, 1, flags: 0x10), chunk("ALPH", [0]), chunk("VP8 ", lossy)))
    #expect(canvas.displaySize == PixelSize(width: 16_777_216, height: 1))
    #expect(canvas.alpha == true)
  }

  @Test func `Frames and durations are counted`() {
    let info = facts(
      webp(
        extended(33, 22, flags: 0x02), chunk("ANIM", [0, 0, 0, 0, 0, 0]), frame(milliseconds: 100),
        frame(milliseconds: 250)))
    #expect(info.frames == 2)
    #expect(info.animated == true)
    #expect(info.duration == 0.35)
    // Frames of a file that is not marked as animated do not count.
    #expect(facts(webp(extended(33, 22, flags: 0), chunk("VP8 ", lossy), frame(milliseconds: 100))).frames == 1)
  }

  @Test func `Metadata chunks are read`() {
    var exif = TIFFFixture(directories: [[]])
    exif.directories = [[exif.text(0x010F, "Maker"), exif.short(0x0112, 8)]]
    let profile = ICCProfileTests.profile([("desc", ICCProfileTests.description2("A profile"))])
    let info = facts(
      webp(
        extended(33, 22, flags: 0x2C), chunk("ICCP", profile), chunk("VP8 ", lossy),
        chunk("EXIF", ascii("Exif\0\0") + exif.encoded), chunk("XMP ", ascii(xmpPacket(attributes: "tiff:Model=\"M\"")))
      ))
    #expect(info.colorProfile == "A profile")
    #expect(info.make == "Maker")
    #expect(info.model == "M")
    #expect(info.displaySize == PixelSize(width: 22, height: 33))
  }

  @Test func `A size beyond the file is truncated`() {
    #expect(facts(webp(chunk("VP8 ", lossy), missing: 2)).error?.code == .truncated)
    #expect(facts(Array(webp(chunk("VP8 ", lossy + [1, 2, 3, 4])).dropLast(2))).error?.code == .truncated)
    // Some writers forget the last padding byte.
    #expect(facts(Array(webp(chunk("VP8 ", lossy + [1])).dropLast(1))).error == nil)
  }

  @Test func `A file without an image is corrupt`() {
    #expect(facts(webp(extended(5, 5, flags: 0))).error?.code == .corrupt)
    #expect(facts(webp()).error?.code == .corrupt)
    #expect(facts(webp(chunk("VP8 ", [0, 0, 0, 1, 2, 3, 4, 0, 5, 0]))).error?.code == .corrupt)
    #expect(facts(ascii("RIFX")).error?.code == .corrupt)
  }
}
