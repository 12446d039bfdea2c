internal import MediaModel
internal import Testing

@testable internal import Thumbnails

@Suite struct ImageOriginTests {
  private func photo(
    _ size: PixelSize = PixelSize(width: 4032, height: 3024),
    thumbnail: PixelSize? = PixelSize(width: 160, height: 120),
    orientation: MediaInfo.Orientation? = nil
  ) -> MediaInfo {
    var info = MediaInfo(type: .jpeg, bytes: 5_000_000)
    info.width = (orientation ?? .up).displayed(size).width
    info.height = (orientation ?? .up).displayed(size).height
    info.orientation = orientation
    info.embeddedThumbnail = thumbnail.map {
      MediaInfo.EmbeddedThumbnail(width: $0.width, height: $0.height, bytes: 6_000, offset: 1_000)
    }
    return info
  }

  private func origin(_ info: MediaInfo, box: Int, draft: Bool = false) throws -> ImageOrigin {
    try ImageOrigin(
      info: info, requests: [RenditionRequest(name: "x", box: PixelSize(width: box, height: box))], draft: draft)
  }

  @Test func `The embedded thumbnail never replaces the image without a draft`() throws {
    for box in [1, 64, 160, 4_032] {
      #expect(try origin(photo(), box: box).from == .image)
      #expect(try origin(photo(thumbnail: PixelSize(width: 4032, height: 3024)), box: box).from == .image)
    }
  }

  @Test func `A draft uses an embedded thumbnail of any size`() throws {
    let small = try origin(photo(), box: 1440, draft: true)
    #expect(small.from == .embedded)
    #expect(small.range == 1_000..<7_000)
    #expect(try origin(photo(thumbnail: nil), box: 1440, draft: true).from == .image)
  }

  @Test func `A comparison uses the image in a draft too`() throws {
    var request = RenditionRequest(name: "x", box: PixelSize(width: 100, height: 100))
    #expect(try ImageOrigin(info: photo(), requests: [request], draft: true).from == .embedded)
    request.comparedIn = PixelSize(width: 100, height: 100)
    #expect(try ImageOrigin(info: photo(), requests: [request], draft: true).from == .image)
  }

  @Test func `A thumbnail of another shape is cropped in a draft`() throws {
    let threeToTwo = PixelSize(width: 6000, height: 4000)
    // The bars above and below are cut off: 160 × 107 of 160 × 120.
    #expect(
      try origin(photo(threeToTwo), box: 64, draft: true).letterboxCrop
        == PixelRect(x: 0, y: 6, width: 160, height: 107))
  }

  @Test func `The thumbnail has the orientation of the image`() throws {
    let origin = try origin(photo(orientation: .right), box: 100, draft: true)
    #expect(origin.displayed == PixelSize(width: 120, height: 160))
    #expect(origin.orientation == .right)
    #expect(origin.letterboxCrop == nil)
  }

  @Test func `A thumbnail larger than the image is ignored`() throws {
    let huge = PixelSize(width: 64_000, height: 48_000)
    #expect(try origin(photo(thumbnail: huge), box: 128, draft: true).from == .image)
  }

  @Test func `The thumbnail of a rotated HEIF is not cropped`() throws {
    var info = MediaInfo(type: .heic, bytes: 2_000_000)
    info.width = 3024
    info.height = 4032
    info.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 320, height: 240, bytes: 9_000, offset: nil)
    let origin = try origin(info, box: 128, draft: true)
    #expect(origin.heifThumbnail)
    #expect(origin.displayed == PixelSize(width: 240, height: 320))
    #expect(origin.letterboxCrop == nil)
  }

  @Test func `A raw file uses its preview`() throws {
    var raw = photo(thumbnail: PixelSize(width: 1620, height: 1080))
    raw.type = MediaType("image/x-nikon-nef")
    #expect(try origin(raw, box: 4000).from == .embedded)
    raw.embeddedThumbnail = nil
    #expect(throws: MediaFailure.self) { try origin(raw, box: 100) }
  }

  @Test func `A type without a loader is unsupported`() {
    let info = MediaInfo(type: .plainText, bytes: 10)
    #expect { try origin(info, box: 10) } throws: { ($0 as? MediaFailure)?.code == .unsupported }
  }

  @Test(arguments: [
    (PixelRect(x: 0, y: 0, width: 6_000, height: 4_000), PixelRect(x: 0, y: 0, width: 160, height: 120)),
    (PixelRect(x: 3_000, y: 2_000, width: 1_500, height: 1_000), PixelRect(x: 80, y: 60, width: 40, height: 30)),
    (PixelRect(x: 5_999, y: 3_999, width: 1, height: 1), PixelRect(x: 159, y: 119, width: 1, height: 1)),
    (PixelRect(x: 10, y: 10, width: 1, height: 1), PixelRect(x: 0, y: 0, width: 1, height: 1)),
    (PixelRect(x: 2_999, y: 0, width: 2, height: 4_000), PixelRect(x: 80, y: 0, width: 1, height: 120)),
  ])
  func `A crop is scaled to the preview of a raw`(crop: PixelRect, expected: PixelRect) {
    let full = PixelSize(width: 6_000, height: 4_000)
    let preview = PixelSize(width: 160, height: 120)
    #expect(ImageOrigin.scaled(crop, from: full, to: preview) == expected)
    #expect(expected.lies(inside: preview))
  }
}
