internal import MediaModel

/// A video track.
struct MovieVideo {
  let entry: VideoSampleEntry
  let matrix: DisplayMatrix
  /// Frames per second, to a thousandth.
  let frameRate: Double

  /// - Parameters:
  ///   - matrix: The nine numbers of the track's matrix.
  ///   - shown: The size of the track without its matrix.
  init(
    _ entry: VideoSampleEntry, _ table: SampleTable, timescale: Int, matrix: [Int32], shown: (width: Int, height: Int)
  ) throws(UnusualMovie) {
    self.entry = entry
    // Turned by multiples of 90°, perhaps mirrored.
    let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
    let isTurn = [a, b, c, d].allSatisfy { $0 == 0 || $0 == 0x10000 || $0 == -0x10000 } && (a == 0) != (b == 0)
    guard isTurn, (a == 0) == (d == 0), (b == 0) == (c == 0), matrix[2] == 0, matrix[5] == 0,
      matrix[8] == 0x4000_0000, let display = DisplayMatrix(matrix)
    else { throw UnusualMovie() }
    self.matrix = display
    if entry.aspect == nil { try Self.checkAspect(entry.size, shown: shown) }
    frameRate = try Self.frameRate(samples: table.samples, ticks: table.ticks, timescale: timescale)
  }

  /// Checks that pixels are square: the track has the size of the images. The sizes that television uses with other pixels are left to FFmpeg, which
  /// asks the bit stream.
  private static func checkAspect(_ size: PixelSize, shown: (width: Int, height: Int)) throws(UnusualMovie) {
    if shown.width > 0, shown.height > 0 {
      try UnusualMovie.unless(size == PixelSize(width: shown.width, height: shown.height))
    }
    try UnusualMovie.unless(!StreamFacts.mayHaveOtherPixels(size))
  }

  private static func frameRate(samples: Int, ticks: Int, timescale: Int) throws(UnusualMovie) -> Double {
    try UnusualMovie.unless(samples > 0 && ticks > 0)
    // 62 bits at most. libavformat approximates a fraction whose numbers exceed 31 bits, which matters only where the thousandths are rounded.
    let thousandths = Double(samples * timescale) / Double(ticks) * 1_000
    let isNearHalf = abs(thousandths - thousandths.rounded(.down) - 0.5) < 1e-4
    let rate = thousandths.rounded() / 1_000
    try UnusualMovie.unless(!isNearHalf && rate > 0 && rate <= 480)
    return rate
  }
}
