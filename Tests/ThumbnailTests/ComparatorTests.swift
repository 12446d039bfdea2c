internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

/// A comparator is worth only what it distinguishes: a graded set of small faults, each made in code from one scene.
@Suite struct ComparatorTests {
  /// A scene that can be sampled at any fraction of a pixel: soft hills of several colors, waves, and two edges that are one
  /// pixel wide, as a resampler leaves them.
  private static func scene(shiftX: Double = 0, shiftY: Double = 0) -> PixelBuffer {
    PixelBuffer(width: 96, height: 64) { column, row in
      let (x, y) = (Double(column) - shiftX, Double(row) - shiftY)
      func hill(_ cx: Double, _ cy: Double, _ radius: Double) -> Double {
        exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (radius * radius))
      }
      let wave = sin(x * 0.7) * sin(y * 0.5)
      let edge = 1 / (1 + exp(-4 * (x - 60))) - 1 / (1 + exp(-4 * (y - 40)))
      let levels = [
        90 + 120 * hill(20, 20, 14) + 14 * wave + 40 * edge, 100 + 90 * hill(70, 15, 18) + 10 * wave + 40 * edge,
        80 + 110 * hill(45, 50, 20) - 12 * wave + 40 * edge,
      ]
      return levels.map { UInt8(min(max(0, $0.rounded()), 255)) } + [255]
    }
  }

  private static func brightened(_ step: Int) -> PixelBuffer {
    scene().mapped { _, _, pixel in pixel.prefix(3).map { UInt8(clamping: Int($0) + step) } + [255] }
  }

  /// One channel alone.
  private static func cast(_ channel: Int, _ step: Int) -> PixelBuffer {
    scene().mapped { _, _, pixel in
      var pixel = pixel
      pixel[channel] = UInt8(clamping: Int(pixel[channel]) + step)
      return pixel
    }
  }

  /// Hue turned about the grey axis, as SVG's `hueRotate` does: brightness stays.
  private static func hueTurned(_ degrees: Double) -> PixelBuffer {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let matrix = [
      [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928],
      [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283],
      [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072],
    ]
    return scene().mapped { _, _, pixel in
      matrix.map { row in UInt8(clamping: Int(zip(row, pixel).reduce(0) { $0 + $1.0 * Double($1.1) }.rounded())) } + [
        255
      ]
    }
  }

  /// Each pixel off by −amplitude…+amplitude, without a mean: what another rounding or resampler leaves.
  private static func noisy(_ amplitude: Int) -> PixelBuffer {
    let noise = SyntheticImage.noise(96, 64, seed: 7)
    return scene().mapped { x, y, pixel in
      let random = noise[x, y]
      return (0..<3).map { UInt8(clamping: Int(pixel[$0]) + Int(random[$0]) % (2 * amplitude + 1) - amplitude) } + [255]
    }
  }

  /// What JPEG does: 8 × 8 cosine transforms whose terms are rounded to steps, wider for higher waves.
  private static func quantised(_ step: Double) -> PixelBuffer {
    let scene = scene()
    let basis = (0..<8).map { k in
      (0..<8).map { n in cos(.pi * Double(k) * (Double(n) + 0.5) / 8) * (k == 0 ? sqrt(1.0 / 8) : 0.5) }
    }
    var rgba = scene.rgba
    for channel in 0..<3 {
      for top in stride(from: 0, to: scene.height, by: 8) {
        for left in stride(from: 0, to: scene.width, by: 8) {
          var terms = [Double](repeating: 0, count: 64)
          for v in 0..<8 {
            for u in 0..<8 {
              for y in 0..<8 {
                for x in 0..<8 {
                  let level = Double(scene.rgba[((top + y) * scene.width + left + x) * 4 + channel])
                  terms[v * 8 + u] += level * basis[u][x] * basis[v][y]
                }
              }
              let width = step * (1 + Double(u + v) / 2)
              terms[v * 8 + u] = (terms[v * 8 + u] / width).rounded() * width
            }
          }
          for y in 0..<8 {
            for x in 0..<8 {
              var level = 0.0
              for v in 0..<8 { for u in 0..<8 { level += terms[v * 8 + u] * basis[u][x] * basis[v][y] } }
              rgba[((top + y) * scene.width + left + x) * 4 + channel] = UInt8(clamping: Int(level.rounded()))
            }
          }
        }
      }
    }
    return PixelBuffer(width: scene.width, height: scene.height) { x, y in
      Array(rgba[(y * scene.width + x) * 4..<(y * scene.width + x) * 4 + 4])
    }
  }

  /// Sharpened with negative lobes: a bright and a dark line along every edge.
  private static func ringing(_ strength: Double) -> PixelBuffer {
    let scene = scene()
    return scene.mapped { x, y, pixel in
      (0..<3).map { channel in
        func level(_ dx: Int, _ dy: Int) -> Double {
          Double(scene[min(max(0, x + dx), 95), min(max(0, y + dy), 63)][channel])
        }
        let around = (level(-2, 0) + level(2, 0) + level(0, -2) + level(0, 2)) / 4
        return UInt8(clamping: Int((level(0, 0) + strength * (level(0, 0) - around)).rounded()))
      } + [255]
    }
  }

  private static func spoiledCorner() -> PixelBuffer {
    scene().mapped { x, y, pixel in x >= 88 && y >= 56 ? pixel.prefix(3).map { $0 / 2 + 60 } + [255] : pixel }
  }

  private func faults(_ actual: PixelBuffer, _ tolerance: ImageTolerance) throws -> [String] {
    try ImageComparison(reference: Self.scene(), actual: actual).faults(beyond: tolerance)
  }

  @Test(arguments: [
    ("nothing", scene()), ("noise of one level", noisy(1)), ("noise of three levels", noisy(3)),
    ("fine JPEG steps", quantised(1)), ("a shift of a fiftieth of a pixel", scene(shiftX: 0.02)),
    ("a trace of sharpening", ringing(0.03)),
  ])
  func `Rounding differences are accepted`(name: String, actual: PixelBuffer) throws {
    #expect(try faults(actual, .resampled) == [], "\(name)")
    #expect(try faults(actual, .encoded) == [], "\(name)")
  }

  @Test(arguments: [
    ("JPEG steps of 3", quantised(3)), ("JPEG steps of 6", quantised(6)), ("noise of eight levels", noisy(8)),
  ])
  func `Lossy noise is accepted only if expected`(name: String, actual: PixelBuffer) throws {
    #expect(try faults(actual, .encoded) == [], "\(name)")
  }

  /// Each fault, and the measure that has to find it, even where encoder noise is allowed.
  @Test(arguments: [
    ("one level brighter", brightened(1), "cast"), ("one level darker", brightened(-1), "cast"),
    ("ten levels brighter", brightened(10), "cast"), ("ten levels darker", brightened(-10), "cast"),
    ("a red cast of one level", cast(0, 1), "red cast"), ("a blue cast of two levels", cast(2, 2), "blue cast"),
    ("less green by two levels", cast(1, -2), "green cast"),
    ("hue turned by 5°", hueTurned(5), "block"), ("hue turned by −10°", hueTurned(-10), "block"),
    ("half a pixel to the right", scene(shiftX: 0.5), "horizontal shift"),
    ("half a pixel to the left", scene(shiftX: -0.5), "horizontal shift"),
    ("half a pixel down", scene(shiftY: 0.5), "vertical shift"),
    ("a quarter of a pixel up", scene(shiftY: -0.25), "vertical shift"),
    ("a whole pixel to the right", scene(shiftX: 1), "horizontal shift"),
    ("a spoiled corner", spoiledCorner(), "block"), ("coarse JPEG steps", quantised(60), "block"),
    ("heavy noise", noisy(24), "PSNR"),
  ])
  func `A fault is found by its measure`(name: String, actual: PixelBuffer, measure: String) throws {
    for tolerance in [ImageTolerance.resampled, .encoded] {
      let found = try faults(actual, tolerance)
      #expect(found.contains { $0.contains(measure) }, "\(name): \(found)")
    }
  }

  /// Finer faults, which only a comparison before encoding can be held to.
  @Test(arguments: [
    ("hue turned by 2°", hueTurned(2), "block"),
    ("an eighth of a pixel to the right", scene(shiftX: 0.125), "horizontal shift"),
    ("ringing", ringing(0.6), "overshoot"), ("coarse noise", noisy(8), "PSNR"),
  ])
  func `Small errors are detected before encoding`(name: String, actual: PixelBuffer, measure: String) throws {
    let found = try faults(actual, .resampled)
    #expect(found.contains { $0.contains(measure) }, "\(name): \(found)")
  }

  @Test(arguments: [-1, -0.5, -0.25, -0.1, 0, 0.05, 0.25, 0.5, 0.75])
  func `The shift is measured in pixels`(shift: Double) throws {
    let right = try ImageComparison(reference: Self.scene(), actual: Self.scene(shiftX: shift))
    #expect(abs(right.shiftX - shift) < 0.06, "\(right)")
    #expect(abs(right.shiftY) < 0.02, "\(right)")
    let down = try ImageComparison(reference: Self.scene(), actual: Self.scene(shiftY: shift))
    #expect(abs(down.shiftY - shift) < 0.06, "\(down)")
    #expect(abs(down.shiftX) < 0.02, "\(down)")
  }

  @Test func `A shift is detected despite noise and cast`() throws {
    let noise = SyntheticImage.noise(96, 64, seed: 8)
    let actual = Self.scene(shiftX: 0.5).mapped { x, y, pixel in
      (0..<3).map { UInt8(clamping: Int(pixel[$0]) + 5 + Int(noise[x, y][$0]) % 7 - 3) } + [255]
    }
    let comparison = try ImageComparison(reference: Self.scene(), actual: actual)
    #expect(abs(comparison.shiftX - 0.5) < 0.1, "\(comparison)")
    #expect(abs(comparison.shiftY) < 0.05, "\(comparison)")
  }

  @Test func `The measures match their definitions`() throws {
    let reference = SyntheticImage.flat(16, 8, 100, 100, 100)
    let actual = reference.mapped { x, _, pixel in x < 8 ? [104, 100, 100, 255] : pixel }
    let comparison = try ImageComparison(reference: reference, actual: actual)
    // Half the pixels are off by 4 in one of three channels: the mean square is 16 / 6.
    #expect(abs(comparison.psnr - 10 * log10(255 * 255 * 6 / 16)) < 1e-9)
    #expect(comparison.maximumDistance == 4)
    #expect(comparison.meanDifference == [2, 0, 0, 0])
    #expect(comparison.worstBlockDifference == 4)
    #expect(comparison.overshoot == 4)
    #expect(comparison.shiftX == 0, "nothing to tell a shift by")
    #expect(comparison.shiftY == 0, "nothing to tell a shift by")
    #expect(try ImageComparison(reference: reference, actual: reference).psnr == .infinity)
  }

  @Test func `Transparency counts, but colors under it do not`() throws {
    let reference = SyntheticImage.disc(40, 40)
    let sameLook = reference.mapped { _, _, pixel in pixel[3] == 0 ? [0, 255, 0, 0] : pixel }
    #expect(try ImageComparison(reference: reference, actual: sameLook).psnr == .infinity)
    let opaque = reference.mapped { _, _, pixel in pixel[3] == 0 ? [0, 0, 0, 255] : pixel }
    let comparison = try ImageComparison(reference: reference, actual: opaque)
    #expect(comparison.meanDifference[3] > 100)
    #expect(comparison.meanDifference[0] == 0)
  }

  @Test func `The layout hash detects mirroring and cropping`() throws {
    let scene = Self.scene()
    let mirrored = PixelBuffer(width: 96, height: 64) { x, y in scene[95 - x, y] }
    let turned = PixelBuffer(width: 96, height: 64) { x, y in scene[95 - x, 63 - y] }
    let cut = PixelBuffer(width: 96, height: 64) { x, y in scene[24 + x / 2, 16 + y / 2] }
    for other in [mirrored, turned, cut] { #expect((scene.gradientHash ^ other.gradientHash).nonzeroBitCount > 16) }
    for other in [Self.noisy(8), Self.quantised(6), Self.brightened(10)] {
      #expect((scene.gradientHash ^ other.gradientHash).nonzeroBitCount <= 5)
    }
    #expect(SyntheticImage.flat(1, 1, 5, 5, 5).gradientHash == 0, "smaller than its cells")
  }

  @Test func `Images of two sizes are not compared`() {
    #expect(throws: ImageComparison.SizesDiffer.self) {
      try ImageComparison(reference: SyntheticImage.slope(4, 5), actual: SyntheticImage.slope(5, 4))
    }
  }
}
