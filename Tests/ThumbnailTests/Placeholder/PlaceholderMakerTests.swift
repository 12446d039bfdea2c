internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

@Suite struct PlaceholderMakerTests {
  private func placeholder(_ image: PixelBuffer) -> Placeholder? {
    PlaceholderMaker.placeholder(rgba: image.rgba, size: image.size)
  }

  @Test func `A placeholder has all three forms`() throws {
    let noise = try #require(placeholder(SyntheticImage.noise(32, 32, seed: 1)))
    #expect(noise.thumbhash == "IPgBDwKaVjo9o+p+l1WWcnld8IXU2qEP")
    #expect(noise.blurhash == "L6HVC*^j#D%N.lM}Mzoh-lV|TB%C")
    #expect(placeholder(SyntheticImage.flat(3, 3, 213, 30, 120))?.color == "#d51e78")
    #expect(placeholder(SyntheticImage.flat(3, 3, 0, 1, 16))?.color == "#000110")
  }

  @Test(arguments: [
    (1, 1), (1, 2), (2, 1), (1, 100), (100, 1), (101, 101), (1, 101), (101, 1), (5000, 1), (1, 5000), (199, 100),
    (257, 256),
    (640, 33),
  ])
  func `Any size has a placeholder`(width: Int, height: Int) throws {
    for alpha in [false, true] {
      let image = SyntheticImage.noise(width, height, seed: 5, alpha: alpha)
      let found = try #require(placeholder(image))
      #expect(found.blurhash.utf8.count == 28)
      #expect(ThumbHashDecoder(base64: found.thumbhash)?.hasAlpha == alpha)
      #expect(found.color.utf8.count == 7)
    }
  }

  @Test func `A wholly transparent image has a placeholder`() throws {
    for side in [1, 16, 300] {
      let found = try #require(placeholder(SyntheticImage.flat(side, side, 9, 9, 9, 0)))
      #expect(ThumbHashDecoder(base64: found.thumbhash)?.average.alpha == 0)
      #expect(found.color == "#ffffff")
      #expect(found.blurhash == placeholder(SyntheticImage.flat(side, side, 255, 255, 255))?.blurhash)
    }
  }

  @Test(arguments: [
    PixelSize(width: 0, height: 0), PixelSize(width: 2, height: 1), PixelSize(width: 1, height: 2),
    PixelSize(width: -1, height: -1), PixelSize(width: .max, height: .max), PixelSize(width: .max, height: 4),
    PixelSize(width: .min, height: .min), PixelSize(width: 1 << 62, height: 1),
  ])
  func `Pixels that do not match the size have no placeholder`(size: PixelSize) {
    #expect(PlaceholderMaker.placeholder(rgba: [1, 2, 3, 4], size: size) == nil)
    #expect(PlaceholderMaker.placeholder(rgba: [], size: size) == nil)
  }

  @Test func `A large image is reduced by box averages`() throws {
    // Fields of one pixel become one grey: 2 × 2 source pixels for each of 100 × 100.
    let fine = PixelBuffer(width: 200, height: 200) { x, y in (x + y) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
    let reduced = try #require(ReducedImage(rgba: fine.rgba, size: fine.size))
    #expect(reduced.width == 100)
    #expect(reduced.height == 100)
    #expect(reduced.rgba == SyntheticImage.flat(100, 100, 128, 128, 128).rgba)
  }

  @Test func `Every pixel of the source counts once`() throws {
    // 157 → 100 and 131 → 83: boxes of one and of two pixels. The mean, weighted by their areas, stays.
    let image = SyntheticImage.noise(157, 131, seed: 6)
    let reduced = try #require(ReducedImage(rgba: image.rgba, size: image.size))
    #expect(reduced.width == 100)
    #expect(reduced.height == 83)
    for channel in 0..<3 {
      var sum = 0
      for row in 0..<83 {
        for column in 0..<100 {
          let area = ((column + 1) * 157 / 100 - column * 157 / 100) * ((row + 1) * 131 / 83 - row * 131 / 83)
          sum += area * Int(reduced.rgba[(row * 100 + column) * 4 + channel])
        }
      }
      let source = stride(from: channel, to: image.rgba.count, by: 4).reduce(0) { $0 + Int(image.rgba[$1]) }
      #expect(abs(Double(sum - source)) / Double(157 * 131) < 0.6, "rounding of each box alone")
    }
  }

  @Test func `Transparent pixels do not tint the reduction`() throws {
    let image = PixelBuffer(width: 200, height: 100) { x, _ in x % 2 == 0 ? [10, 200, 30, 255] : [255, 0, 255, 0] }
    let reduced = try #require(ReducedImage(rgba: image.rgba, size: image.size))
    #expect(Array(reduced.rgba.prefix(4)) == [10, 200, 30, 128])
  }

  @Test func `A large image has the placeholder of its reduction`() throws {
    let large = SyntheticImage.disc(400, 240)
    let reduced = try #require(ReducedImage(rgba: large.rgba, size: large.size))
    #expect(
      placeholder(large)
        == PlaceholderMaker.placeholder(
          rgba: reduced.rgba, size: PixelSize(width: reduced.width, height: reduced.height)))
  }
}
