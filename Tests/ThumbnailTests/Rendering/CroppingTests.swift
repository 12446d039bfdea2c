internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct CroppingTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  /// An image whose pixels encode their position: red increases to the right, green downwards.
  private let map = PixelBuffer(width: 240, height: 160) { x, y in [UInt8(x), UInt8(y), 128, 255] }

  @Test(arguments: [
    PixelRect(x: 0, y: 0, width: 240, height: 160), PixelRect(x: 17, y: 31, width: 101, height: 67),
    PixelRect(x: 239, y: 159, width: 1, height: 1),
  ])
  func `A crop shows exactly its pixels`(crop: PixelRect) throws {
    let path = try studio.file("map.png", of: map)
    var request = RenditionRequest.box(400)
    request.crop = crop
    let rendition = try #require(try studio.render(path, [request]).renditions.first)
    #expect(try studio.pixels(of: rendition) == map.cropped(to: crop))
  }

  @Test("A crop is in upright pixels", arguments: MediaInfo.Orientation.allCases)
  func aCropIsInUprightPixels(orientation: MediaInfo.Orientation) throws {
    let path = try studio.file("map.png", of: map)
    var info = MediaInfo(type: .png, bytes: 0)
    let shown = orientation.displayed(map.size)
    info.width = shown.width
    info.height = shown.height
    info.orientation = orientation
    let crop = PixelRect(x: 20, y: 30, width: 90, height: 60)
    var request = RenditionRequest.box(400)
    request.crop = crop
    let rendition = try #require(try studio.render(path, info: info, [request]).renditions.first)
    let whole = try #require(try studio.render(path, info: info, [.box(400)]).renditions.first)
    #expect(try studio.pixels(of: rendition) == studio.pixels(of: whole).cropped(to: crop))
  }

  @Test("A crop outside of the image is refused") func aCropOutsideOfTheImageIsRefused() throws {
    let path = try studio.file("map.png", of: map)
    for crop in [
      PixelRect(x: 200, y: 0, width: 41, height: 10), PixelRect(x: -1, y: 0, width: 10, height: 10),
      PixelRect(x: 0, y: 0, width: 0, height: 10), PixelRect(x: .max, y: 0, width: 2, height: 2),
    ] {
      var request = RenditionRequest.box(64)
      request.crop = crop
      let result = try studio.render(path, [request])
      #expect(result.error?.code == .invalidRequest, "\(crop)")
      #expect(result.renditions.isEmpty)
    }
  }

  @Test func `A reduced crop of a JPEG is exact`() throws {
    let large = PixelBuffer(width: 1600, height: 1200) { x, y in
      [UInt8(x * 255 / 1599), UInt8(y * 255 / 1199), 128, 255]
    }
    let path = try studio.file("large.jpg[Q=95]", of: large)
    var request = RenditionRequest.box(100)
    request.crop = PixelRect(x: 400, y: 400, width: 800, height: 800)
    let rendition = try #require(try studio.render(path, [request]).renditions.first)
    let middle = try studio.pixels(of: rendition)[50, 50]
    #expect(abs(Int(middle[0]) - 128) <= 2, "\(middle)")
    #expect(abs(Int(middle[1]) - 170) <= 2, "\(middle)")
  }

  @Test("Cover crops around the center") func coverCropsAroundTheCentre() throws {
    let path = try studio.file("map.png", of: map)
    let rendition = try #require(try studio.render(path, [.box(80, fit: .cover(.centre))]).renditions.first)
    #expect(rendition.width == 80)
    #expect(rendition.height == 80)
    let pixels = try studio.pixels(of: rendition)
    #expect(abs(Int(pixels[0, 40][0]) - 40) <= 2, "40 of 240 columns are cut off at the left")
  }

  @Test(arguments: [RenditionRequest.Gravity.attention, .entropy])
  func `Cover keeps the salient part`(gravity: RenditionRequest.Gravity) throws {
    // Grey, with a noisy colored patch at the right end.
    let noise = SyntheticImage.noise(60, 60, seed: 3)
    let scene = PixelBuffer(width: 300, height: 60) { x, y in x < 240 ? [100, 100, 100, 255] : noise[x - 240, y] }
    let path = try studio.file("scene.png", of: scene)
    let rendition = try #require(try studio.render(path, [.box(60, fit: .cover(gravity))]).renditions.first)
    let pixels = try studio.pixels(of: rendition)
    #expect((0..<60).contains { pixels[40, $0] != [100, 100, 100, 255] })
  }

  /// A raw is shown by a preview of a quarter of its size; the crop is in the raw's own pixels.
  @Test(arguments: ["dng", "cr2", "nef", "arw"])
  func `A crop of a raw shows the same part of its preview`(format: String) throws {
    let path = Fixture.path("formats/raw.\(format)")
    let whole = try #require(try studio.render(path, [.box(640)]).renditions.first)
    #expect(whole.width == 160)
    #expect(whole.height == 120)
    var request = RenditionRequest.box(640)
    request.crop = PixelRect(x: 320, y: 240, width: 300, height: 202)
    let result = try studio.render(path, [request])
    #expect(result.error == nil)
    let part = try #require(result.renditions.first)
    let expected = try studio.pixels(of: whole).cropped(to: PixelRect(x: 80, y: 60, width: 75, height: 51))
    #expect(try studio.pixels(of: part) == expected)
  }
}
