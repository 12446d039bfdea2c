internal import MediaModel
internal import TestSupport
internal import Testing

@Suite struct OrientationTests {
  /// A grid of pixels with rotation and mirroring, independent of the code under test.
  private struct Grid: Equatable {
    var rows: [[Int]]

    var turnedClockwise: Grid {
      Grid(rows: (0..<rows[0].count).map { x in rows.indices.reversed().map { rows[$0][x] } })
    }
    var mirrored: Grid { Grid(rows: rows.map { $0.reversed() }) }

    /// EXIF's description of each value: rotate and mirror the stored image until it is upright.
    func upright(_ orientation: MediaInfo.Orientation) -> Grid {
      switch orientation {
      case .up: self
      case .upMirrored: mirrored
      case .down: turnedClockwise.turnedClockwise
      case .downMirrored: mirrored.turnedClockwise.turnedClockwise
      case .leftMirrored: mirrored.turnedClockwise.turnedClockwise.turnedClockwise
      case .right: turnedClockwise
      case .rightMirrored: mirrored.turnedClockwise
      case .left: turnedClockwise.turnedClockwise.turnedClockwise
      }
    }

    func values(in rect: PixelRect) -> Set<Int> {
      Set((rect.y..<rect.y + rect.height).flatMap { rows[$0][rect.x..<rect.x + rect.width] })
    }
  }

  @Test(
    "A rectangle of the upright image has the same pixels in the stored image",
    arguments: MediaInfo.Orientation.allCases)
  func storedRectangle(orientation: MediaInfo.Orientation) {
    var generator = SeededGenerator(seed: UInt64(orientation.rawValue))
    for _ in 0..<300 {
      let stored = PixelSize(
        width: .random(in: 1...9, using: &generator), height: .random(in: 1...9, using: &generator))
      // Every pixel has a unique value.
      let grid = Grid(rows: (0..<stored.height).map { y in (0..<stored.width).map { y * 100 + $0 } })
      let upright = grid.upright(orientation)
      #expect(orientation.displayed(stored) == PixelSize(width: upright.rows[0].count, height: upright.rows.count))

      let width = Int.random(in: 1...upright.rows[0].count, using: &generator)
      let height = Int.random(in: 1...upright.rows.count, using: &generator)
      let rect = PixelRect(
        x: .random(in: 0...upright.rows[0].count - width, using: &generator),
        y: .random(in: 0...upright.rows.count - height, using: &generator), width: width, height: height)
      let found = orientation.storedRect(rect, in: stored)
      guard found.lies(inside: stored) else {
        Issue.record("\(rect) of \(stored) lies outside: \(found)")
        continue
      }
      #expect(grid.values(in: found) == upright.values(in: rect), "\(rect) of \(stored)")
    }
  }

  @Test("The eight orientations are distinct")
  func theEightOrientationsAreDistinct() {
    let grid = Grid(rows: [[1, 2, 3], [4, 5, 6]])
    let turned = MediaInfo.Orientation.allCases.map { grid.upright($0).rows }
    for (index, rows) in turned.enumerated() { #expect(!turned[..<index].contains(rows)) }
  }

  @Test("An orientation applied twice to a size gives the size")
  func displayedIsItsOwnInverse() {
    let size = PixelSize(width: 30, height: 20)
    for orientation in MediaInfo.Orientation.allCases {
      #expect(orientation.displayed(orientation.displayed(size)) == size)
      #expect(orientation.swapsAxes == (orientation.displayed(size).width == 20))
    }
  }

  @Test("The values of orientations are those of EXIF, 1 to 8")
  func theRawValuesMatchEXIF() {
    #expect(MediaInfo.Orientation.allCases.map(\.rawValue) == Array(1...8))
    #expect(MediaInfo.Orientation(rawValue: 0) == nil)
    #expect(MediaInfo.Orientation(rawValue: 9) == nil)
  }

  @Test("A rectangle of any numbers is turned without overflow")
  func anUncheckedRectangleNeverTraps() {
    for x in [Int.min, -1, 0, Int.max] {
      for width in [Int.min, 0, Int.max] {
        let rect = PixelRect(x: x, y: width, width: width, height: x)
        for orientation in MediaInfo.Orientation.allCases {
          for stored in [PixelSize(width: 1, height: 1), PixelSize(width: .max, height: .min)] {
            let found = orientation.storedRect(rect, in: stored)
            #expect(Set([found.width, found.height]) == Set([rect.width, rect.height]))
          }
        }
      }
    }
  }
}
