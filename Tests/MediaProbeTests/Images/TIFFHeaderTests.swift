internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct TIFFHeaderTests {
  private func facts(_ bytes: [UInt8]) -> MediaInfo { windowedStillFacts(bytes, as: .tiff) }

  private func image(_ width: Int, _ height: Int, _ more: [TIFFFixture.Entry] = []) -> [TIFFFixture.Entry] {
    let fixture = TIFFFixture(directories: [])
    return [fixture.short(256, width), fixture.short(257, height)] + more
  }

  @Test func `The directory chain is the pages`() {
    let fixture = TIFFFixture(directories: [image(40, 30), image(10, 10), image(5, 5)])
    let info = facts(fixture.encoded)
    #expect(info.displaySize == PixelSize(width: 40, height: 30))
    #expect(info.pages == 3)
    #expect(info.frames == nil)
    #expect(info.error == nil)
    #expect(info.embeddedThumbnail == nil)
  }

  @Test("A TIFF whose first page is a reduced version is shown by another image, and says so")
  func reducedFirstPage() {
    let fixture = TIFFFixture(directories: [])
    let small = image(40, 30, [fixture.long(254, 1)])
    let second = facts(TIFFFixture(directories: [small, image(400, 300)]).encoded)
    #expect(second.displaySize == PixelSize(width: 400, height: 300))
    #expect(second.tracks == 2)
    let below = facts(TIFFFixture(directories: [small], children: [(330, image(400, 300))]).encoded)
    #expect(below.displaySize == PixelSize(width: 400, height: 300))
    #expect(below.tracks == 2)
    #expect(facts(TIFFFixture(directories: [image(400, 300), small]).encoded).tracks == nil)
    #expect(facts(TIFFFixture(directories: [small]).encoded).tracks == nil, "there is no other image")
  }

  @Test func `A loop of pages is corrupt and still counted`() {
    var bytes = TIFFFixture(directories: [image(40, 30), image(10, 10)]).encoded
    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: le32(8))
    #expect(facts(bytes).pages == 2)
    #expect(facts(bytes).error?.code == .corrupt)
    #expect(facts(bytes).width == 40)
  }

  @Test func `Orientation and metadata are in the file itself`() {
    let fixture = TIFFFixture(directories: [])
    let packet = xmpPacket(attributes: "tiff:Model=\"XMP\"")
    let profile = ICCProfileTests.profile([("desc", ICCProfileTests.description2("A profile"))])
    let entries = [
      fixture.short(0x0112, 8), fixture.text(0x010F, "Maker"), fixture.bytes(700, ascii(packet), type: 1),
      fixture.bytes(34_675, profile),
    ]
    let info = facts(TIFFFixture(directories: [image(40, 30, entries)]).encoded)
    #expect(info.displaySize == PixelSize(width: 30, height: 40))
    #expect(info.orientation == .left)
    #expect(info.make == "Maker")
    #expect(info.model == "XMP")
    #expect(info.colorProfile == "A profile")
  }

  @Test(arguments: [(0, false), (1, true), (2, true)]) func `Extra samples are alpha if declared`(
    kind: Int, alpha: Bool
  ) {
    let fixture = TIFFFixture(directories: [])
    #expect(facts(TIFFFixture(directories: [image(4, 3, [fixture.short(338, kind)])]).encoded).alpha == alpha)
  }

  @Test func `Strips beyond the end are truncation`() {
    var fixture = TIFFFixture(directories: [[]], data: Array(repeating: 0, count: 100))
    func strips(_ second: Int) -> [UInt8] {
      fixture.directories = [image(4, 3, [fixture.long(273, 8, second), fixture.long(279, 10, 100)])]
      return fixture.encoded
    }
    let offset = { fixture.directories = [image(4, 3, [fixture.long(273, 0, 0), fixture.long(279, 0, 0)])] }
    offset()
    let start = fixture.dataOffset
    #expect(facts(strips(start)).error == nil)
    #expect(facts(strips(start + 1)).error?.code == .truncated)
    #expect(facts(strips(0xFFFF_FFFF)).error?.code == .truncated)
    #expect(facts(strips(start + 1)).width == 4)
  }

  @Test func `Big TIFF has the same facts`() {
    var fixture = TIFFFixture(isBigEndian: true, isBig: true, directories: [[], []])
    let entries = [fixture.long(256, 70_000), fixture.long(257, 3), fixture.short(0x0112, 6)]
    fixture.directories = [entries, entries]
    let info = facts(fixture.encoded)
    #expect(info.displaySize == PixelSize(width: 3, height: 70_000))
    #expect(info.pages == 2)
  }

  @Test func `An invalid TIFF is a failure`() {
    #expect(facts([0x49, 0x49, 42, 0]).error?.code == .truncated)
    #expect(facts(joined([0x49, 0x49, 42, 0], le32(1_000), Array(repeating: 0, count: 20))).error?.code == .truncated)
    #expect(facts(joined([0x49, 0x49, 42, 0], le32(8), Array(repeating: 0, count: 20))).error?.code == .corrupt)
    #expect(facts(joined([0x49, 0x49, 44, 0], le32(8), Array(repeating: 0, count: 20))).error?.code == .corrupt)
    #expect(facts(TIFFFixture(directories: [image(0, 3)]).encoded).error?.code == .corrupt)
  }
}
