internal import MediaModel

/// An image of at most 100 × 100 pixels, the input of all placeholders.
///
/// The limit is ThumbHash's own. A placeholder has at most seven frequencies per side, so more pixels add nothing.
struct ReducedImage {
  /// Maximum side; a larger image is reduced.
  static let longestSide = 100

  /// Width in pixels, 1…100.
  let width: Int
  /// Height in pixels, 1…100.
  let height: Int
  /// Rows of straight 8-bit sRGB pixels: `width × height × 4` bytes.
  let rgba: [UInt8]

  /// Reduces an image that is larger than 100 × 100; nil if the pixels do not match the size.
  init?(rgba: [UInt8], size: PixelSize) {
    guard size.isPositive, size.pixelCount <= Int.max / 4, rgba.count == size.pixelCount * 4 else { return nil }
    let longest = max(size.width, size.height)
    if longest <= Self.longestSide {
      width = size.width
      height = size.height
      self.rgba = rgba
    } else {
      width = max(1, Self.scaled(size.width, by: longest))
      height = max(1, Self.scaled(size.height, by: longest))
      self.rgba = Self.reduced(rgba, size, width: width, height: height)
    }
  }

  /// An opaque copy: transparent parts take the image's average color, or white if no pixel is visible.
  ///
  /// ThumbHash uses the same background, so that no foreign color is added.
  func flattened() -> ReducedImage {
    var sums = (red: 0, green: 0, blue: 0, alpha: 0)
    for at in stride(from: 0, to: rgba.count, by: 4) {
      let alpha = Int(rgba[at + 3])
      sums.red += Int(rgba[at]) * alpha
      sums.green += Int(rgba[at + 1]) * alpha
      sums.blue += Int(rgba[at + 2]) * alpha
      sums.alpha += alpha
    }
    if sums.alpha == rgba.count / 4 * 255 { return self }
    let weight = sums.alpha
    let ground =
      weight == 0
      ? [255, 255, 255]
      : [sums.red, sums.green, sums.blue].map { ($0 + weight / 2) / weight }
    var flat = rgba
    for at in stride(from: 0, to: rgba.count, by: 4) {
      let alpha = Int(rgba[at + 3])
      for channel in 0..<3 {
        let mixed = Int(rgba[at + channel]) * alpha + ground[channel] * (255 - alpha)
        flat[at + channel] = UInt8(truncatingIfNeeded: (mixed + 127) / 255)
      }
      flat[at + 3] = 255
    }
    return ReducedImage(width: width, height: height, rgba: flat)
  }

  private init(width: Int, height: Int, rgba: [UInt8]) {
    self.width = width
    self.height = height
    self.rgba = rgba
  }

  /// `side × 100 / longest`, rounded. An overflow is impossible: such a side would not fit in memory.
  private static func scaled(_ side: Int, by longest: Int) -> Int {
    (side &* longestSide &+ longest / 2) / longest
  }

  /// Box reduction weighted by alpha, so that transparent pixels do not tint the result. Uses only integers: the same
  /// bytes on every machine.
  private static func reduced(_ source: [UInt8], _ size: PixelSize, width: Int, height: Int) -> [UInt8] {
    let columns = (0...width).map { $0 * size.width / width }
    var result: [UInt8] = []
    result.reserveCapacity(width * height * 4)
    var sums = [SIMD4<Int>](repeating: .zero, count: width)
    for row in 0..<height {
      let rows = row * size.height / height..<(row + 1) * size.height / height
      for index in sums.indices { sums[index] = .zero }
      for y in rows {
        for column in 0..<width {
          var sum = sums[column]
          // Not a range, which is slow in a debug build.
          var x = columns[column]
          let end = columns[column + 1]
          while x < end {
            let at = (y * size.width + x) * 4
            let alpha = Int(source[at + 3])
            sum.x += Int(source[at]) * alpha
            sum.y += Int(source[at + 1]) * alpha
            sum.z += Int(source[at + 2]) * alpha
            sum.w += alpha
            x += 1
          }
          sums[column] = sum
        }
      }
      for column in 0..<width {
        let sum = sums[column]
        let alpha = sum.w
        let count = rows.count * (columns[column + 1] - columns[column])
        for channel in 0..<3 {
          result.append(alpha == 0 ? 0 : UInt8(truncatingIfNeeded: (sum[channel] + alpha / 2) / alpha))
        }
        result.append(UInt8(truncatingIfNeeded: (alpha + count / 2) / count))
      }
    }
    return result
  }
}
