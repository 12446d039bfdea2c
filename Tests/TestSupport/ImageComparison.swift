internal import Foundation
public import MediaModel

/// How far an image is from the one it should be, in measures that each catch another fault.
///
/// Colors are compared as they look over black: what is transparent has no color. Differences are actual − reference, in
/// levels of 0…255.
public struct ImageComparison: Sendable, CustomStringConvertible {
  /// Peak signal-to-noise ratio over red, green and blue, and alpha where there is any, in dB; infinite for equal images.
  /// Catches anything large.
  public let psnr: Double
  /// The largest difference of one channel of one pixel. Catches a broken corner.
  public let maximumDistance: Int
  /// The mean difference of red, green, blue and alpha over the whole image. Catches a color cast; noise cancels out.
  public let meanDifference: [Double]
  /// The largest mean difference of one channel over one block of 8 × 8 pixels. Catches a turn of hue or a wrong patch that
  /// cancels out over the whole image; noise cancels out.
  public let worstBlockDifference: Double
  /// Displacement of actual to the right of reference, in pixels; 0 if it cannot be measured.
  public let shiftX: Double
  /// Displacement of actual below reference, in pixels; 0 if it cannot be measured.
  public let shiftY: Double
  /// The farthest that any pixel of actual leaves the range of its 5 × 5 neighbourhood in reference. Catches ringing and halos.
  public let overshoot: Int
  /// How many of the 64 bits of ``PixelBuffer/gradientHash`` differ. Catches another layout; survives any encoder.
  public let gradientHashDistance: Int

  /// Compares two images of one size.
  /// - Throws: ``SizesDiffer``.
  public init(reference: PixelBuffer, actual: PixelBuffer) throws {
    guard reference.size == actual.size else { throw SizesDiffer(reference: reference.size, actual: actual.size) }
    // An opaque image has no use for the fourth plane.
    let count = [reference, actual].contains { !$0.isOpaque } ? 4 : 3
    let expected = Planes(reference, count: count)
    let found = Planes(actual, count: count)

    var squares = 0
    var sums = [Int](repeating: 0, count: 4)
    var maximum = 0
    for channel in 0..<count {
      for (a, b) in zip(expected.channels[channel], found.channels[channel]) {
        squares += (b - a) * (b - a)
        sums[channel] += b - a
        maximum = max(maximum, abs(b - a))
      }
    }
    let pixels = Double(reference.size.pixelCount)
    psnr = squares == 0 ? .infinity : 10 * log10(255 * 255 * pixels * Double(count) / Double(squares))
    maximumDistance = maximum
    meanDifference = sums.map { Double($0) / pixels }
    worstBlockDifference = expected.worstBlock(found)
    shiftX = expected.shift(of: found, dx: 1, dy: 0)
    shiftY = expected.shift(of: found, dx: 0, dy: 1)
    overshoot = expected.overshoot(of: found)
    gradientHashDistance = (reference.gradientHash ^ actual.gradientHash).nonzeroBitCount
  }

  /// All measures in one line.
  public var description: String {
    let cast = meanDifference.map { String(format: "%+.2f", $0) }.joined(separator: " ")
    return String(format: "PSNR %.1f dB, ", psnr)
      + "distance \(maximumDistance), cast \(cast), "
      + String(format: "block %.2f, shift %+.2f %+.2f, ", worstBlockDifference, shiftX, shiftY)
      + "overshoot \(overshoot), hash \(gradientHashDistance)/64"
  }

  /// Images of two sizes cannot be compared.
  public struct SizesDiffer: Error {
    /// The size that was expected.
    public let reference: PixelSize
    /// The size that was found.
    public let actual: PixelSize
  }
}

/// The channels in use, colors multiplied by alpha, and their measures.
private struct Planes {
  let width: Int
  let height: Int
  let channels: [[Int]]

  init(_ image: PixelBuffer, count: Int) {
    width = image.width
    height = image.height
    let rgba = image.rgba
    channels = (0..<count).map { channel in
      stride(from: 0, to: rgba.count, by: 4).map { at in
        let alpha = Int(rgba[at + 3])
        return channel == 3 ? alpha : (Int(rgba[at + channel]) * alpha + 127) / 255
      }
    }
  }

  func worstBlock(_ other: Planes) -> Double {
    var worst = 0.0
    for channel in channels.indices {
      for top in stride(from: 0, to: height, by: 8) {
        for left in stride(from: 0, to: width, by: 8) {
          var sum = 0
          let rows = top..<min(top + 8, height)
          let columns = left..<min(left + 8, width)
          for y in rows {
            for x in columns { sum += other.channels[channel][y * width + x] - channels[channel][y * width + x] }
          }
          worst = max(worst, abs(Double(sum)) / Double(rows.count * columns.count))
        }
      }
    }
    return worst
  }

  /// The squared error at shifts of −1, 0 and +1 pixel lies on a parabola; its lowest point is the shift. Exact for a half and
  /// for small shifts. A cast is taken out first.
  func shift(of other: Planes, dx: Int, dy: Int) -> Double {
    guard width > 2, height > 2 else { return 0 }
    func error(_ step: Int) -> Double {
      var total = 0.0
      for channel in channels.indices {
        let count = Double((width - 2) * (height - 2))
        var sum = 0
        var squares = 0
        for y in 1..<height - 1 {
          for x in 1..<width - 1 {
            let difference =
              other.channels[channel][(y + dy * step) * width + x + dx * step] - channels[channel][y * width + x]
            sum += difference
            squares += difference * difference
          }
        }
        total += Double(squares) / count - (Double(sum) / count) * (Double(sum) / count)
      }
      return total
    }
    let (before, here, after) = (error(-1), error(0), error(1))
    let curvature = before - 2 * here + after
    // Less than this is an image without structure along the axis: rounding noise decides.
    guard curvature > 0.5 else { return 0 }
    return min(max(-1, 0.5 * (before - after) / curvature), 1)
  }

  func overshoot(of other: Planes) -> Int {
    var worst = 0
    for channel in channels.indices {
      // The range of 5 × 5 is the range of 5 ranges along the row, one under another.
      let ranges = spread(channels[channel].map { ($0, $0) }, length: width, step: 1, lines: height, lineStep: width)
      let neighbourhoods = spread(ranges, length: height, step: width, lines: width, lineStep: 1)
      for (range, value) in zip(neighbourhoods, other.channels[channel]) {
        worst = max(worst, value - range.high, range.low - value)
      }
    }
    return worst
  }

  /// Each range joined with the two before and the two behind it on its line.
  private func spread(
    _ ranges: [(low: Int, high: Int)], length: Int, step: Int, lines: Int, lineStep: Int
  ) -> [(low: Int, high: Int)] {
    var result = ranges
    for line in 0..<lines {
      for position in 0..<length {
        let at = line * lineStep + position * step
        for neighbour in max(0, position - 2)...min(length - 1, position + 2) {
          let range = ranges[line * lineStep + neighbour * step]
          result[at].low = min(result[at].low, range.low)
          result[at].high = max(result[at].high, range.high)
        }
      }
    }
    return result
  }
}
