internal import MediaModel

/// Draws a waveform: rounded bars on both sides of a thin line, in one color on a transparent background. Pure.
///
/// It uses only integers and square roots, which IEEE 754 defines to the last bit. The same levels therefore give the
/// same pixels everywhere.
struct WaveformImage {
  /// A blue with a WCAG 2.2 contrast of 4.33:1 to white and to #121212, the dark surface of Material Design, and 4.85:1
  /// to black. WCAG requires 3:1 for non-text content (success criterion 1.4.11).
  static let color = RenditionRequest.Color(red: 0x22, green: 0x77, blue: 0xE6)

  /// The unit of all values below: sixteenths of a pixel.
  private static let unit = 16
  /// Sampling positions in each column of pixels.
  private static let samples = [2, 6, 10, 14]

  let size: PixelSize
  /// Distance between the left edges of two bars in pixels: a 32nd of the shorter side.
  private let pitch: Int
  /// Width of a bar in pixels; the rest is the gap.
  private let barWidth: Int
  /// Number of bars for the whole audio.
  let barCount: Int
  /// Left edge of the first bar.
  private let left: Int

  init(size: PixelSize) {
    self.size = size
    pitch = max(2, min(size.width, size.height) / 32)
    barWidth = max(1, pitch * 5 / 8)
    // At least half a bar is free on either side.
    barCount = max(1, size.width / pitch - 1)
    left = max(0, (size.width - barCount * pitch + pitch - barWidth) / 2)
  }

  /// Draws every pixel as straight RGBA, row by row.
  ///
  /// - Parameters:
  ///   - peaks: A level for each bar, 0…1. Missing bars at the end are omitted together with their part of the line.
  ///   - pixels: `width × height × 4` bytes.
  func paint(_ peaks: [Float], into pixels: UnsafeMutableBufferPointer<UInt8>) {
    // Transparent pixels have the color too, so that no encoder blends in another one.
    // Not `stride`, which is slow in a debug build.
    var at = 0
    while at + 3 < pixels.count {
      pixels[at] = Self.color.red
      pixels[at + 1] = Self.color.green
      pixels[at + 2] = Self.color.blue
      pixels[at + 3] = 0
      at += 4
    }
    guard let lastBar = peaks.indices.prefix(barCount).last else { return }
    let end = min(size.width, left + lastBar * pitch + barWidth)
    for x in min(left, end)..<end {
      let bar = (x - left) / pitch
      let extents = Self.samples.map { extent(at: x, offset: $0, bar: bar, peak: peaks[bar]) }
      paint(column: x, extents: extents, into: pixels)
    }
  }

  /// Extent of the shape above and below the middle, slightly right of the left edge of a column.
  private func extent(at x: Int, offset: Int, bar: Int, peak: Float) -> Int {
    // Whole pixels, because fractions look pale: two if the middle lies between two of them.
    let line = max(size.height % 2 == 0 ? Self.unit : Self.unit / 2, barWidth * Self.unit / 16)
    let radius = barWidth * Self.unit / 2
    let across = (x - left - bar * pitch) * Self.unit + offset - radius
    guard abs(across) <= radius else { return line }
    // The highest peak takes four fifths of the height.
    let tallest = size.height * Self.unit * 2 / 5
    let reach = Int((Double(max(0, min(1, peak))) * Double(tallest)).rounded())
    let round = Int(Double(radius * radius - across * across).squareRoot())
    // A bar that is lower than wide is an ellipse.
    let extent = reach <= radius ? round * reach / max(1, radius) : reach - radius + round
    return max(line, extent)
  }

  private func paint(column x: Int, extents: [Int], into pixels: UnsafeMutableBufferPointer<UInt8>) {
    let middle = size.height * Self.unit / 2
    let (nearest, farthest) = (extents.min() ?? 0, extents.max() ?? 0)
    let rows = max(0, (middle - farthest) / Self.unit)..<min(size.height, (middle + farthest) / Self.unit + 1)
    for y in rows {
      // Inside the shape, where most pixels are.
      if y * Self.unit >= middle - nearest, (y + 1) * Self.unit <= middle + nearest {
        pixels[(y * size.width + x) * 4 + 3] = 255
        continue
      }
      let covered = extents.reduce(0) { sum, extent in
        let top = max(middle - extent, y * Self.unit)
        let bottom = min(middle + extent, (y + 1) * Self.unit)
        return sum + max(0, bottom - top)
      }
      let all = Self.unit * extents.count
      pixels[(y * size.width + x) * 4 + 3] = UInt8(clamping: (covered * 255 + all / 2) / all)
    }
  }
}
