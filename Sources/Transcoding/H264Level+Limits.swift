internal import MediaModel

/// The limits of ITU-T H.264, table A-1, for Baseline.
extension TranscodeRequest.H264Level {
  /// The value in the bitstream: ten times the level, 9 for 1b.
  var number: Int {
    switch self {
    case .level1: 10
    case .level1b: 9
    case .level11: 11
    case .level12: 12
    case .level13: 13
    case .level2: 20
    case .level21: 21
    case .level22: 22
    case .level3: 30
    case .level31: 31
    case .level32: 32
    case .level4: 40
    }
  }

  /// MaxFS in macroblocks per frame, MaxMBPS in macroblocks per second, MaxBR and MaxCPB in 1,000 bits, per second and
  /// for the decoder's buffer.
  private var limits: (frame: Int, second: Int, rate: Int, buffer: Int) {
    switch self {
    case .level1: (99, 1_485, 64, 175)
    case .level1b: (99, 1_485, 128, 350)
    case .level11: (396, 3_000, 192, 500)
    case .level12: (396, 6_000, 384, 1_000)
    case .level13: (396, 11_880, 768, 2_000)
    case .level2: (396, 11_880, 2_000, 2_000)
    case .level21: (792, 19_800, 4_000, 4_000)
    case .level22: (1_620, 20_250, 4_000, 4_000)
    case .level3: (1_620, 40_500, 10_000, 10_000)
    case .level31: (3_600, 108_000, 14_000, 14_000)
    case .level32: (5_120, 216_000, 20_000, 20_000)
    case .level4: (8_192, 245_760, 20_000, 25_000)
    }
  }

  /// Maximum bits per second.
  var maxRate: Int { limits.rate * 1_000 }
  /// Buffer size in bits.
  var bufferSize: Int { limits.buffer * 1_000 }

  /// Whether a frame size is allowed. No side may exceed √(8 · MaxFS) macroblocks.
  func allows(_ size: PixelSize) -> Bool {
    let (columns, rows) = (Self.blocks(size.width), Self.blocks(size.height))
    return columns * rows <= limits.frame && max(columns * columns, rows * rows) <= 8 * limits.frame
  }

  /// Maximum frames per second at a frame size.
  func maxFrameRate(of size: PixelSize) -> Double {
    Double(limits.second) / Double(max(1, Self.blocks(size.width) * Self.blocks(size.height)))
  }

  /// Number of macroblocks that cover a side.
  private static func blocks(_ side: Int) -> Int { (min(max(side, 1), 1 << 20) + 15) / 16 }
}
