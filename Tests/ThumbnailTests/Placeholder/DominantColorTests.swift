internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

@Suite struct DominantColorTests {
  private typealias Color = RenditionRequest.Color

  private func color(_ image: PixelBuffer) throws -> Color {
    DominantColor.of(try #require(ReducedImage(rgba: image.rgba, size: image.size)))
  }

  @Test(arguments: [[0, 0, 0], [255, 255, 255], [213, 30, 120], [15, 16, 17], [127, 128, 240]])
  func `A flat image has its own color`(levels: [UInt8]) throws {
    let image = SyntheticImage.flat(20, 10, levels[0], levels[1], levels[2])
    #expect(try color(image) == Color(red: levels[0], green: levels[1], blue: levels[2]))
  }

  @Test func `The dominant color is the most frequent one, not the average`() throws {
    let image = PixelBuffer(width: 100, height: 10) { x, _ in x < 60 ? [250, 20, 30, 255] : [20, 30, 250, 255] }
    #expect(try color(image) == Color(red: 250, green: 20, blue: 30))
  }

  @Test func `Noise across bin borders does not split a surface`() throws {
    // 60 % of the image has levels 121…134, on both sides of 128 in every channel; the rest is one exact color.
    let noise = SyntheticImage.noise(100, 60, seed: 9)
    let image = PixelBuffer(width: 100, height: 100) { x, y in
      y < 60 ? noise[x, y].prefix(3).map { 121 + $0 % 14 } + [255] : [10, 200, 30, 255]
    }
    let found = try color(image)
    for level in [found.red, found.green, found.blue] { #expect((126...129).contains(level), "\(found)") }
  }

  @Test func `Small changes of the image change it little`() throws {
    // The same scene a little brighter: the answer moves by as much, without a jump.
    let scene = PixelBuffer(width: 90, height: 60) { x, y in
      y < 35 ? [90, 140, 220, 255] : [UInt8(60 + x % 9), UInt8(120 + y % 7), 50, 255]
    }
    for step in 1...32 {
      let brighter = scene.mapped { _, _, pixel in pixel.prefix(3).map { $0 + UInt8(step) } + [255] }
      #expect(try color(brighter) == Color(red: 90 + UInt8(step), green: 140 + UInt8(step), blue: 220 + UInt8(step)))
    }
  }

  @Test func `Transparent pixels have no weight`() throws {
    #expect(try color(SyntheticImage.disc(60, 60)) != Color(red: 255, green: 0, blue: 255))
    let faint = PixelBuffer(width: 10, height: 10) { x, _ in x < 6 ? [255, 0, 0, 100] : [0, 0, 255, 255] }
    #expect(try color(faint) == Color(red: 0, green: 0, blue: 255))
  }

  @Test func `A wholly transparent image is white`() throws {
    #expect(try color(SyntheticImage.flat(5, 5, 1, 2, 3, 0)) == .white)
  }
}
