internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

@Suite struct ThumbHashTests {
  private func hash(_ image: PixelBuffer) throws -> String {
    let reduced = try #require(ReducedImage(rgba: image.rgba, size: image.size))
    return Data(ThumbHash.encode(reduced)).base64EncodedString()
  }

  /// Hashes by other implementations: thumbhash-python 1.0.1 and, for the opaque images, thumbhash 0.1.2 (both on PyPI, both ports
  /// of evanw/thumbhash) gave the same text for the same pixels.
  @Test(arguments: [
    (SyntheticImage.slope(64, 48), "nTcGZZqAh4eEeHiId3d3iIBwCNh3"),
    (SyntheticImage.slope(48, 64), "nTcKdRqAh4Z3h3d3h4h4iIJwCNh3"),
    (SyntheticImage.slope(100, 1), "1fUqmb6Hh4eIiAh4gHhOiAg="),
    (SyntheticImage.slope(1, 100), "kzUlmTIIiId4iIh493F4v3g="),
    (SyntheticImage.slope(2, 2), "ojVGhyx2CYl3iIiHiIiIB4mICAd4cI0I"),
    (SyntheticImage.slope(100, 100), "nTcGbxqAh4eFh4d4iHiIiIeHGAiHgI0H"),
    (SyntheticImage.checkers(100, 75), "F4cCBYDu7v67u8vu7r67///M/8/8"),
    (SyntheticImage.checkers(20, 20), "V5cCHwa5dYiZW3e7L1cle3d3uL/8+8sP"),
    (SyntheticImage.noise(32, 32, seed: 1), "IPgBDwKaVjo9o+p+l1WWcnld8IXU2qEP"),
    (SyntheticImage.noise(100, 57, seed: 2), "4AcCBIAua3R0inrPiLivpbPkAg=="),
    (SyntheticImage.noise(7, 31, seed: 3), "3/cBEgTOf2Rnl5CXRAdlBlY="),
    (SyntheticImage.noise(24, 24, seed: 4, alpha: true), "4OeBDQIINYfOqwVcV1uP+mans+CViJp6lw=="),
    (SyntheticImage.disc(80, 60), "m0WCDIIjM/1VuIOMSSQFM32/MNlJRqZ1CA=="),
    (SyntheticImage.disc(60, 90), "m0WCCwIjEEd1i40QMwChxRt1nWViCmY="),
    (SyntheticImage.disc(100, 100), "m0WCFQIlEN5GtpWLmzNDEMH2DHWeZGNJhw=="),
    (SyntheticImage.flat(16, 16, 0, 0, 0, 0), "AAiCBQAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="),
  ])
  func `The hash agrees with other implementations`(image: PixelBuffer, expected: String) throws {
    // Terms of exactly zero fall between 7 and 8; other implementations let rounding errors choose. Everything else is equal.
    let found = try #require(Data(base64Encoded: try hash(image)))
    let other = try #require(Data(base64Encoded: expected))
    #expect(found.count == other.count)
    for (index, (a, b)) in zip(found, other).enumerated() where a != b {
      #expect(index >= (found[2] & 0x80 == 0 ? 5 : 6), "a header byte differs: \(found.base64EncodedString())")
      for (mine, theirs) in [(a & 15, b & 15), (a >> 4, b >> 4)] {
        #expect(mine == theirs || (mine == 8 && theirs == 7), "byte \(index): \(found.base64EncodedString())")
      }
    }
  }

  /// Where no term is zero, not a bit may differ.
  @Test(arguments: [
    (SyntheticImage.noise(32, 32, seed: 1), "IPgBDwKaVjo9o+p+l1WWcnld8IXU2qEP"),
    (SyntheticImage.noise(7, 31, seed: 3), "3/cBEgTOf2Rnl5CXRAdlBlY="),
    (SyntheticImage.noise(24, 24, seed: 4, alpha: true), "4OeBDQIINYfOqwVcV1uP+mans+CViJp6lw=="),
    (SyntheticImage.disc(80, 60), "m0WCDIIjM/1VuIOMSSQFM32/MNlJRqZ1CA=="),
  ])
  func `The hash agrees to the last bit on images without symmetry`(image: PixelBuffer, expected: String) throws {
    #expect(try hash(image) == expected)
  }

  /// The decoder of these tests against published results: t/data/pngified.txt of mauke/Image-ThumbHash, whose hashes are examples of
  /// evanw.github.io/thumbhash, with mean color, aspect ratio and the first eight pixels of the decoded image.
  @Test(arguments: [
    (
      "3OcRJYB4d3h/iIeHeEh3eIhw+j3A", 1.4, [0.415343915343915, 0.462962962962963, 0.455026455026455, 1],
      PixelSize(width: 32, height: 23),
      "7c889fff 7d899fff 7e8aa0ff 7e8ba1ff 7f8ba3ff 808ca4ff 818da5ff 828ea6ff"
    ),
    (
      "2fcZFIB3iId/h3iJh4aIYJ2V8g==", 1.75, [0.383597883597884, 0.399470899470899, 0.407407407407407, 1],
      PixelSize(width: 32, height: 18),
      "c8ccd5ff c6cad3ff c2c6cfff bec2cbff b9bdc6ff b5b9c2ff b2b6c0ff b0b4beff"
    ),
    (
      "YJqGPQw7sFltlqhFafSE+Q6oJ1h2iHB2Rw==", 1,
      [0.759259259259259, 0.457671957671958, 0.306878306878307, 0.733333333333333],
      PixelSize(width: 32, height: 32),
      "e74d3600 e54e3800 e1503c00 dc524100 d5554800 cd584f00 c35b5700 b85e5f08"
    ),
  ])
  func `The decoder reads published hashes`(
    hash: String, ratio: Double, average: [Double], size: PixelSize, firstPixels: String
  ) throws {
    let decoder = try #require(ThumbHashDecoder(base64: hash))
    #expect(abs(decoder.aspectRatio - ratio) < 1e-9)
    let mean = decoder.average
    for (found, expected) in zip([mean.red, mean.green, mean.blue, mean.alpha], average) {
      #expect(abs(found - expected) < 1e-9)
    }
    let image = decoder.image()
    #expect(image.size == size)
    let found = (0..<8).map { image[$0, 0].map { String(format: "%02x", $0) }.joined() }.joined(separator: " ")
    #expect(found == firstPixels)
  }

  @Test(arguments: [
    (100, 100), (100, 75), (75, 100), (64, 36), (100, 30), (100, 1), (1, 100), (1, 1), (400, 300), (1000, 1),
    (3000, 2000),
  ])
  func `The aspect ratio can be decoded`(width: Int, height: Int) throws {
    let decoder = try #require(ThumbHashDecoder(base64: hash(SyntheticImage.slope(width, height))))
    // One side is 7, the other 1…7: half a step of the shorter side is the best that can be.
    let shape = Double(min(width, height)) / Double(max(width, height))
    let found = decoder.aspectRatio > 1 ? 1 / decoder.aspectRatio : decoder.aspectRatio
    #expect(abs(found - max(shape, 1 / 7)) <= 0.5 / 7 + 1e-9)
    #expect((width > height) == (decoder.aspectRatio > 1) || shape > 1 - 0.5 / 7)
  }

  @Test func `The mean color can be decoded`() throws {
    for image in [
      SyntheticImage.flat(30, 20, 213, 30, 120), SyntheticImage.slope(80, 60), SyntheticImage.checkers(96, 64),
      SyntheticImage.flat(9, 9, 255, 255, 255), SyntheticImage.flat(9, 9, 0, 0, 0),
    ] {
      let mean = try #require(ThumbHashDecoder(base64: hash(image))).average
      for (channel, found) in [mean.red, mean.green, mean.blue].enumerated() {
        let sum = stride(from: channel, to: image.rgba.count, by: 4).reduce(0) { $0 + Int(image.rgba[$1]) }
        // Six bits a component: half a step of each of the three that are mixed.
        #expect(abs(found - Double(sum) / Double(image.size.pixelCount) / 255) < 0.035)
      }
      #expect(mean.alpha == 1)
    }
  }

  @Test func `The image can be recognised after decoding`() throws {
    let decoded = try #require(ThumbHashDecoder(base64: hash(SyntheticImage.slope(32, 32)))).image()
    let comparison = try ImageComparison(reference: SyntheticImage.slope(32, 32), actual: decoded)
    // The decoder makes colors a quarter stronger, which costs a slope of pure colors most.
    #expect(comparison.psnr > 22, "\(comparison)")
    #expect(comparison.gradientHashDistance <= 3, "\(comparison)")
  }

  @Test func `Transparency can be decoded`() throws {
    let image = SyntheticImage.disc(32, 32)
    let decoded = try #require(ThumbHashDecoder(base64: hash(image))).image()
    #expect(decoded[12, 10][3] > 200, "inside the hole")
    #expect(decoded[30, 30][3] < 40, "outside it")
    #expect(try #require(ThumbHashDecoder(base64: hash(image))).hasAlpha)
  }

  @Test func `The color of transparent pixels does not count`() throws {
    let disc = SyntheticImage.disc(80, 60)
    let other = disc.mapped { _, _, pixel in pixel[3] == 0 ? [0, 255, 0, 0] : pixel }
    #expect(try hash(disc) == hash(other))
  }

  @Test func `One pixel that is not quite opaque counts`() throws {
    let image = SyntheticImage.slope(100, 100).mapped { x, y, pixel in
      x == 50 && y == 50 ? [pixel[0], pixel[1], pixel[2], 254] : pixel
    }
    #expect(try #require(ThumbHashDecoder(base64: hash(image))).hasAlpha)
  }

  /// In one color, and along the axes of a symmetric image, only rounding errors remain; none may reach the bytes.
  @Test func `Rounding errors never reach the bytes`() throws {
    // 7 × 7 luminance waves over a square, 28 terms less the mean, all of them zero.
    let red = try #require(Data(base64Encoded: hash(SyntheticImage.flat(100, 100, 200, 10, 10))))
    #expect(red.dropFirst(5).allSatisfy { $0 == 0 })
    let stripes = PixelBuffer(width: 64, height: 64) { x, _ in x < 32 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
    let bytes = try #require(Data(base64Encoded: hash(stripes)))
    let nibbles = bytes.dropFirst(5).flatMap { [$0 & 15, $0 >> 4] }
    #expect(nibbles.prefix(6) == [15, 8, 5, 8, 9, 8], "a step is 1, −1/3, 1/5 of the odd waves, and none of the even")
    #expect(nibbles[6..<27].allSatisfy { $0 == 8 }, "nothing along y")
  }
}
