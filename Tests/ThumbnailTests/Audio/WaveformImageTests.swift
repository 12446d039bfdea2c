internal import Foundation
internal import MediaModel
internal import Testing

@testable internal import Thumbnails

@Suite struct WaveformImageTests {
  private func paint(_ width: Int, _ height: Int, _ level: (Int) -> Float) -> [[UInt8]] {
    let tile = WaveformImage(size: PixelSize(width: width, height: height))
    return paint(tile, (0..<tile.barCount).map(level))
  }

  /// The alpha of each pixel, row by row; the color is checked on the way.
  private func paint(_ tile: WaveformImage, _ peaks: [Float]) -> [[UInt8]] {
    var pixels = [UInt8](repeating: 9, count: tile.size.pixelCount * 4)
    pixels.withUnsafeMutableBufferPointer { tile.paint(peaks, into: $0) }
    for at in stride(from: 0, to: pixels.count, by: 4) where Array(pixels[at..<at + 3]) != [0x22, 0x77, 0xE6] {
      Issue.record("another colour at \(at)")
      break
    }
    return (0..<tile.size.height).map { y in
      (0..<tile.size.width).map { x in pixels[(y * tile.size.width + x) * 4 + 3] }
    }
  }

  /// WCAG 2.2, relative luminance and contrast ratio.
  private func contrast(_ one: RenditionRequest.Color, _ other: RenditionRequest.Color) -> Double {
    func luminance(_ color: RenditionRequest.Color) -> Double {
      func linear(_ level: UInt8) -> Double {
        let value = Double(level) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test func `The color is readable on light and on dark`() {
    let dark = RenditionRequest.Color(red: 0x12, green: 0x12, blue: 0x12)
    let black = RenditionRequest.Color(red: 0, green: 0, blue: 0)
    for (background, stated) in [(RenditionRequest.Color.white, 4.33), (dark, 4.33), (black, 4.85)] {
      let ratio = contrast(WaveformImage.color, background)
      #expect(ratio >= 3)
      #expect(abs(ratio - stated) < 0.01, "\(ratio)")
    }
  }

  @Test func `Bars are symmetric and as high as their level`() {
    let alpha = paint(256, 256) { $0 % 2 == 0 ? 1 : 0.5 }
    #expect(alpha == alpha.reversed())
    // The middle of the first two bars: pitch 8, width 5, from column 5 on.
    for (x, height) in [(7, 205), (15, 102)] {
      let covered = alpha.map { $0[x] }.count { $0 >= 128 }
      #expect(abs(covered - height) <= 1, "\(covered)")
    }
    // Between them there is the line alone.
    #expect(alpha.map { $0[11] }.filter { $0 > 0 } == [255, 255])
    // Nothing touches an edge.
    #expect(alpha.allSatisfy { $0[0] == 0 && $0[4] == 0 && $0[252] == 0 && $0[255] == 0 })
  }

  @Test func `Bars have round ends`() throws {
    let alpha = paint(256, 256) { _ in 1 }
    let top = alpha.firstIndex { $0[7] > 0 }
    let row = top.map { Array(alpha[$0][5..<10]) } ?? []
    try #require(row.count == 5, "\(row)")
    #expect(row[0] == 0, "\(row)")
    #expect(row[4] == 0, "\(row)")
    #expect(row[2] > row[1], "\(row)")
    #expect(row[1] == row[3])
  }

  @Test func `Silence is a thin line`() {
    let alpha = paint(256, 128) { _ in 0 }
    let rows = alpha.indices.filter { alpha[$0].contains { $0 > 0 } }
    #expect(rows == [63, 64])
    #expect(alpha[63].count { $0 == 255 } > 240)
  }

  @Test func `The line is sharp where the height is odd`() {
    let alpha = paint(64, 33) { _ in 0 }
    #expect(alpha.indices.filter { alpha[$0].contains { $0 > 0 } } == [16])
    #expect(Set(alpha[16]) == [0, 255])
  }

  @Test func `The undecoded part is empty`() {
    let tile = WaveformImage(size: PixelSize(width: 256, height: 256))
    let alpha = paint(tile, [Float](repeating: 1, count: tile.barCount / 2))
    #expect(alpha.contains { $0[..<128].contains { $0 > 0 } })
    #expect(alpha.allSatisfy { $0[130...].allSatisfy { $0 == 0 } })
    #expect(paint(tile, []).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test(arguments: [(1, 1), (1, 400), (400, 1), (2, 3), (3, 2), (16_383, 2), (2, 16_383), (17, 64), (840, 560)])
  func `Every box has visible pixels`(width: Int, height: Int) {
    let alpha = paint(width, height) { _ in 1 }
    #expect(alpha.contains { $0.contains { $0 >= 128 } })
  }

  @Test func `Levels out of range do not trap`() {
    let alpha = paint(64, 64) { [Float.infinity, -.infinity, 7, -7][$0 % 4] }
    #expect(alpha == alpha.reversed())
  }
}
