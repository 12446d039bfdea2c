internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct RawHeaderTests {
  private let dng = MediaType("image/x-adobe-dng")
  private let fixture = TIFFFixture(directories: [])

  private func size(_ width: Int, _ height: Int, kind: Int?) -> [TIFFFixture.Entry] {
    [fixture.short(256, width), fixture.short(257, height)] + (kind.map { [fixture.long(254, $0)] } ?? [])
  }

  /// A raw whose data area holds `previews`, each announced by JPEGInterchangeFormat in a directory of its own.
  private func raw(
    main: [TIFFFixture.Entry], full: [TIFFFixture.Entry], previews: [[UInt8]], compression: Int? = nil
  ) -> (bytes: [UInt8], offsets: [Int]) {
    var fixture = TIFFFixture(directories: [main])
    func announce(_ start: Int, _ length: Int) -> [TIFFFixture.Entry] {
      guard let compression else { return [fixture.long(513, start), fixture.long(514, length)] }
      return [fixture.short(259, compression), fixture.long(273, start), fixture.long(279, length)]
    }
    fixture.directories += previews.map { _ in announce(0, 0) }
    fixture.children = [(330, full)]
    fixture.data = previews.flatMap { $0 }
    var start = fixture.dataOffset
    var offsets: [Int] = []
    for (index, preview) in previews.enumerated() {
      fixture.directories[index + 1] = announce(start, preview.count)
      offsets.append(start)
      start += preview.count
    }
    return (fixture.encoded, offsets)
  }

  @Test func `The full image is not marked as reduced`() {
    let bytes = raw(main: size(256, 171, kind: 1), full: size(6_000, 4_000, kind: 0), previews: []).bytes
    let info = stillFacts(bytes, as: dng)
    #expect(info.displaySize == PixelSize(width: 6_000, height: 4_000))
    #expect(info.pages == 1)
    #expect(info.error == nil)
    // So it is in a plain TIFF, unless it is sensor data, which is not decoded.
    #expect(stillFacts(bytes, as: .tiff).width == 6_000)
    let sensor = raw(
      main: size(256, 171, kind: 1), full: size(6_000, 4_000, kind: 0) + [fixture.short(262, 32_803)], previews: []
    ).bytes
    #expect(stillFacts(sensor, as: .tiff).width == 256)
  }

  @Test func `The default crop of DNG is the displayed size`() {
    let crop = [fixture.rational(0xC620, (5_984, 1), (3_992, 1))]
    #expect(
      stillFacts(
        raw(main: size(256, 171, kind: 1), full: size(6_000, 4_000, kind: 0) + crop, previews: []).bytes, as: dng
      )
      .displaySize == PixelSize(width: 5_984, height: 3_992))
    let lie = [fixture.short(0xC620, 7_000, 1)]
    #expect(
      stillFacts(
        raw(main: size(256, 171, kind: 1), full: size(6_000, 4_000, kind: 0) + lie, previews: []).bytes, as: dng
      )
      .width == 6_000)
  }

  @Test func `Without marks the largest size is used`() {
    var fixture = TIFFFixture(directories: [size(1_536, 1_024, kind: nil)])
    fixture.children = [(0x8769, [fixture.long(0xA002, 3_456), fixture.long(0xA003, 2_304)])]
    #expect(stillFacts(fixture.encoded, as: MediaType("image/x-canon-cr2")).width == 3_456)
  }

  @Test(arguments: [nil, 6, 7]) func `The largest complete JPEG is the preview`(compression: Int?) {
    var lossless = JPEGFixture(size: (6_000, 4_000))
    lossless.marker = 0xC3
    let previews = [
      JPEGFixture(size: (160, 120)).encoded, JPEGFixture(size: (1_600, 1_200)).encoded,
      JPEGFixture(size: (6_000, 4_000), end: [0, 0]).encoded, lossless.encoded, JPEGFixture(size: (640, 480)).encoded,
    ]
    let (bytes, offsets) = raw(
      main: size(256, 171, kind: 1), full: size(6_000, 4_000, kind: 0), previews: previews, compression: compression)
    #expect(
      stillFacts(bytes, as: dng).embeddedThumbnail
        == MediaInfo.EmbeddedThumbnail(width: 1_600, height: 1_200, bytes: previews[1].count, offset: offsets[1]))
  }

  @Test func `Subdirectories in a loop end`() {
    var fixture = TIFFFixture(directories: [size(256, 171, kind: 1)])
    fixture.directories[0].append(fixture.long(330, 8, 8, 8))
    #expect(stillFacts(fixture.encoded, as: dng).width == 256)
  }

  @Test func `Data beyond the end is truncation`() {
    let strip = [fixture.long(273, 100), fixture.long(279, 1_000_000)]
    let bytes = raw(main: size(256, 171, kind: 1), full: size(6_000, 4_000, kind: 0) + strip, previews: []).bytes
    #expect(stillFacts(bytes, as: dng).error?.code == .truncated)
  }
}
