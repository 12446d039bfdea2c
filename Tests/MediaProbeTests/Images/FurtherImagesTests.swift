internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// What a viewer may show in place of the image is stated: `frames`, `pages`, `tracks`.
@Suite("Further images of a file") struct FurtherImagesTests {
  @Test(
    "Pages are those that libvips counts",
    arguments: ["formats/collection.heic", "formats/thumbnail.heic", "formats/pages.tif"])
  func pages(name: String) throws {
    let tool = try Tool("vipsheader", package: "libvips-tools")
    let output = try tool.run(["-f", "n-pages", Fixture.path(name)])
    // libvips states no number for one page.
    let pages = output.status == 0 ? Int(output.text.split(whereSeparator: \.isWhitespace).first ?? "1") : 1
    #expect((MediaProber().facts(ofFile: Fixture.path(name)).pages ?? 1) == pages)
  }

  @Test(
    "Tracks are those that ffprobe lists", arguments: ["videos/two-tracks.mp4", "formats/clip.mp4", "formats/clip.mkv"])
  func tracks(name: String) throws {
    let output = try Tool("ffprobe", package: "ffmpeg").run(
      ["-v", "error", "-select_streams", "V", "-show_entries", "stream=index", "-of", "csv=p=0", Fixture.path(name)])
    let tracks = output.text.split(whereSeparator: \.isNewline).count
    #expect(MediaProber().facts(ofFile: Fixture.path(name)).tracks == (tracks > 1 ? tracks : nil))
  }

  @Test("The images of an icon are alternatives", arguments: [1, 3]) func icon(count: Int) {
    let entry: [UInt8] = [16, 16, 0, 0, 1, 0, 32, 0] + le32(40) + le32(6 + 16 * count)
    let header: [UInt8] = [0, 0, 1, 0, UInt8(count), 0]
    let bytes = header + Array(repeating: entry, count: count).flatMap { $0 }
    #expect(stillFacts(bytes, as: MediaType("image/vnd.microsoft.icon")).tracks == (count > 1 ? count : nil))
  }

  @Test("Parts, thumbnails and auxiliary images of a HEIF image are no pages") func parts() {
    var fixture = HEIFFixture(
      items: [.init(properties: [1], data: [1])], properties: [HEIFFixture.size(40, 30)])
    #expect(windowedStillFacts(fixture.encoded, as: .heic).pages == nil)
    fixture.items += Array(repeating: .init(properties: [1], data: [1]), count: 3)
    fixture.items += [.init(type: "Exif", data: [0, 0, 0, 0])]
    #expect(windowedStillFacts(fixture.encoded, as: .heic).pages == 4)
    fixture.references = [("thmb", 2, [1]), ("auxl", 3, [1]), ("dimg", 1, [4])]
    #expect(windowedStillFacts(fixture.encoded, as: .heic).pages == nil)
  }

  @Test("The image of a TIFF is the first that is no reduced version of another") func reduced() {
    func facts(_ types: [(tag: Int, value: Int)?]) -> MediaInfo {
      let fixture = TIFFFixture(directories: [])
      let directories = types.enumerated().map { index, type in
        [fixture.short(256, 40 + index), fixture.short(257, 30)] + (type.map { [fixture.long($0.tag, $0.value)] } ?? [])
      }
      return windowedStillFacts(TIFFFixture(directories: directories).encoded, as: .tiff)
    }
    #expect(facts([nil, (254, 1)]).width == 40)
    #expect(facts([(254, 1), nil]).width == 41)
    #expect(facts([(255, 2), (254, 1), (254, 0)]).width == 42)
    // A page of several is not reduced; where all are, the first is what there is.
    #expect(facts([(254, 2), nil]).width == 40)
    #expect(facts([(254, 1), (254, 1)]).width == 40)
    #expect(facts([(254, 1), nil]).pages == 2)
  }

  @Test("The frame that is shown longest is counted as the file shows it") func longest() {
    var shown = ShownImage()
    #expect(shown.longestFrame(among: 100) == 0)
    for delay in [1.0, 3, 3, 9] { shown.add(delay: delay) }
    #expect(shown.longestFrame(among: 100) == 3)
    #expect(shown.longestFrame(among: 3) == 1)
    #expect(shown.longestFrame(among: 0) == 0)
    for _ in 0..<ShownImage.frameLimit { shown.add(delay: 10) }
    #expect(shown.delays.count == ShownImage.frameLimit)
  }

  @Test("Frames that are decoded in another order than they are shown have the times of their order") func order() {
    // I P B: shown as I B P, at 0, 10 and 40.
    let table =
      fullBox("stts", be32(1), be32(3), be32(10))
      + fullBox("ctts", be32(3), be32(1), be32(0), be32(1), be32(30), be32(1), be32(-10))
    let reader = ByteReader(table)
    #expect(SampleTimes(reader, table: 0..<table.count, limit: 100).delays == [10, 30, 10])
    #expect(SampleTimes(reader, table: 0..<table.count, limit: 1).delays == [10])
  }
}
