internal import Foundation
internal import MediaModel
internal import Testing

@Suite struct PixelSizeTests {
  @Test("A count of pixels that does not fit is the largest integer")
  func pixelCountSaturates() {
    #expect(PixelSize(width: 6_000, height: 4_000).pixelCount == 24_000_000)
    #expect(PixelSize(width: 0, height: .max).pixelCount == 0)
    #expect(PixelSize(width: .max, height: 1).pixelCount == .max)
    #expect(PixelSize(width: .max, height: 2).pixelCount == .max)
    #expect(PixelSize(width: 1 << 32, height: 1 << 32).pixelCount == .max, "not 0, as it would be wrapped round")
    #expect(PixelSize(width: .min, height: -1).pixelCount == .max)
  }

  @Test("A size is positive only if both sides are")
  func isPositiveRequiresBothSides() {
    #expect(PixelSize(width: 1, height: 1).isPositive)
    for size in [(0, 1), (1, 0), (-1, 1), (1, -1), (-1, -1), (.min, .max)] {
      #expect(!PixelSize(width: size.0, height: size.1).isPositive)
    }
  }

  @Test("A size transposed twice is the same")
  func transposedTwiceIsTheSame() {
    #expect(PixelSize(width: 3, height: 5).transposed == PixelSize(width: 5, height: 3))
    #expect(PixelSize(width: 3, height: 5).transposed.transposed == PixelSize(width: 3, height: 5))
  }

  @Test("A rectangle is inside an image if all its pixels are") func inside() {
    // Every rectangle around an image of 4 × 3, against a count of its pixels.
    for x in -2...5 {
      for y in -2...4 {
        for width in -1...5 {
          for height in -1...4 {
            let pixels = max(0, width) * max(0, height)
            let inside =
              (x..<x + max(0, width)).filter { (0..<4).contains($0) }.count
              * (y..<y + max(0, height)).filter { (0..<3).contains($0) }.count
            #expect(
              PixelRect(x: x, y: y, width: width, height: height).lies(inside: PixelSize(width: 4, height: 3))
                == (pixels > 0 && inside == pixels))
          }
        }
      }
    }
  }

  @Test("Extreme coordinates neither trap nor count as inside") func extremes() {
    let extremes = [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]
    for x in extremes {
      for width in extremes {
        for side in extremes {
          let rect = PixelRect(x: x, y: 0, width: width, height: 1)
          let found = rect.lies(inside: PixelSize(width: side, height: 1))
          // x + width, in more bits than overflow.
          let end = x.addingReportingOverflow(width)
          #expect(found == (x >= 0 && width > 0 && !end.overflow && end.partialValue <= side), "\(x) \(width) \(side)")
          let column = PixelRect(x: 0, y: x, width: 1, height: width)
          #expect(column.lies(inside: PixelSize(width: 1, height: side)) == found)
        }
      }
    }
  }

  @Test("The JSON of a rectangle has the names of its properties")
  func theJSONHasTheNamesOfTheProperties() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(PixelRect(x: 1, y: 2, width: 3, height: 4))
    #expect(String(decoding: json, as: UTF8.self) == #"{"height":4,"width":3,"x":1,"y":2}"#)
  }
}
