internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct DisplayMatrixTests {
  private static let one: Int32 = 0x10000

  @Test(arguments: [
    ([one, 0, 0, one], 0, false, MediaInfo.Orientation.up),
    ([0, one, -one, 0], 90, false, .right),
    ([-one, 0, 0, -one], 180, false, .down),
    ([0, -one, one, 0], 270, false, .left),
    // Mirrored: a front camera, and the same held in the other three ways.
    ([-one, 0, 0, one], 0, true, .upMirrored),
    ([0, one, one, 0], 90, true, .leftMirrored),
    ([one, 0, 0, -one], 180, true, .downMirrored),
    ([0, -one, -one, 0], 270, true, .rightMirrored),
    // Scaled, and turned a little beside the quarter.
    ([0, 2 * one, -2 * one, 0], 90, false, .right),
    ([one / 20, one, -one, one / 20], 90, false, .right),
  ])
  func `The rotation is read from the matrix`(
    _ numbers: [Int32], _ rotation: Int, _ mirrored: Bool, _ orientation: MediaInfo.Orientation
  )
    throws
  {
    let matrix = try #require(DisplayMatrix([numbers[0], numbers[1], 0, numbers[2], numbers[3], 0, 0, 0, 0x4000_0000]))
    #expect(matrix.rotation == rotation)
    #expect(matrix.isMirrored == mirrored)
    #expect(matrix.orientation == orientation)
  }

  /// The orientation that is derived moves a corner of the image to where the matrix moves it.
  @Test(arguments: MediaInfo.Orientation.allCases) func `The orientation moves pixels as the matrix does`(
    _ orientation: MediaInfo.Orientation
  )
    throws
  {
    // Unit vectors of EXIF's eight ways: where stored columns and rows point on the screen.
    let columns: [MediaInfo.Orientation: (Int32, Int32)] = [
      .up: (1, 0), .upMirrored: (-1, 0), .down: (-1, 0), .downMirrored: (1, 0), .leftMirrored: (0, 1), .right: (0, 1),
      .rightMirrored: (0, -1), .left: (0, -1),
    ]
    let rows: [MediaInfo.Orientation: (Int32, Int32)] = [
      .up: (0, 1), .upMirrored: (0, 1), .down: (0, -1), .downMirrored: (0, -1), .leftMirrored: (1, 0), .right: (-1, 0),
      .rightMirrored: (-1, 0), .left: (1, 0),
    ]
    let (column, row) = (try #require(columns[orientation]), try #require(rows[orientation]))
    let matrix = try #require(DisplayMatrix([column.0, column.1, 0, row.0, row.1, 0, 0, 0, 1]))
    #expect(matrix.orientation == orientation)
    // The stored pixel that lands in the upper left corner, by the model's own mapping, lies where both vectors point away from.
    let corner = orientation.storedRect(
      PixelRect(x: 0, y: 0, width: 1, height: 1), in: PixelSize(width: 2, height: 2))
    let right = orientation.storedRect(
      PixelRect(x: 1, y: 0, width: 1, height: 1), in: PixelSize(width: 2, height: 2))
    #expect((right.x - corner.x) * Int(column.0) + (right.y - corner.y) * Int(row.0) == 1)
  }

  @Test func `A singular matrix is rejected`() {
    #expect(DisplayMatrix([0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(DisplayMatrix([Self.one, Self.one, 0, Self.one, Self.one, 0, 0, 0, 1]) == nil)
    #expect(DisplayMatrix([1, 0, 0, 1]) == nil)
    #expect(DisplayMatrix([.min, .min, .min, .max, .max, .min, 0, 0, 0]) == nil)
  }
}
