internal import MediaModel

/// The parameters for encoding audio with AAC. Pure.
struct AudioEncodePlan: Hashable {
  /// Bits per second.
  var rate: Int
  /// Sample rate in Hz.
  var sampleRate: Int
  var channels: Int

  /// The sample rates that AAC and MP4 support, from the highest useful one down.
  private static let sampleRates = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]

  /// The best audio at this many bits per second, never better than the source.
  ///
  /// With fewer bits, first the number of channels is reduced, then the bandwidth, so that the rest stays clean.
  init(bits: Int, info: MediaInfo) {
    let (maximum, widest): (Int, Int) =
      switch bits {
      case 80_000...: (48_000, 2)
      case 48_000...: (44_100, 1)
      case 32_000...: (32_000, 1)
      case 24_000...: (22_050, 1)
      case 16_000...: (16_000, 1)
      default: (8_000, 1)
      }
    channels = min(widest, max(1, info.channels ?? widest))
    let source = info.sampleRate ?? 44_100
    // The lowest rate that loses nothing, or the highest allowed.
    let enough = Self.sampleRates.last { $0 >= source } ?? 48_000
    sampleRate = Self.sampleRates.first { $0 <= min(maximum, enough) } ?? 8_000
    // AAC's maximum per channel and sample (ISO/IEC 14496-3: 6,144 bits per frame of 1,024).
    rate = max(8_000, min(bits, 160_000, 5 * sampleRate * channels))
  }

  init(rate: Int, sampleRate: Int, channels: Int) {
    self.rate = rate
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// The audio of a video with this many bits per second in total: about a sixth, which keeps speech clear.
  static func ofVideo(bits: Double, info: MediaInfo) -> AudioEncodePlan {
    let wanted: Int =
      switch bits {
      case 1_200_000...: 128_000
      case 600_000...: 96_000
      case 300_000...: 48_000
      case 150_000...: 32_000
      case 64_000...: 24_000
      default: 12_000
      }
    return AudioEncodePlan(bits: wanted, info: info)
  }
}

/// The eight modes of narrowband AMR (3GPP TS 26.071), with the bytes per frame in a file including the frame header
/// (RFC 4867, section 5.3).
enum AMRMode {
  static let all: [(rate: Int, bytes: Int)] = [
    (12_200, 32), (10_200, 27), (7_950, 21), (7_400, 20), (6_700, 18), (5_900, 16), (5_150, 14), (4_750, 13),
  ]
  /// Frames per second.
  static let frames = 50.0
  /// `#!AMR` and a line feed.
  static let headBytes = 6

  /// The highest mode for a video with this many bits per second in total.
  static func ofVideo(bits: Double) -> Int { bits >= 64_000 ? 12_200 : bits >= 40_000 ? 7_400 : 4_750 }
}
