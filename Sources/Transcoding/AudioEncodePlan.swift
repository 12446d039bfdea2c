internal import MediaModel

/// How audio is encoded with AAC. Pure.
struct AudioEncodePlan: Hashable {
  /// Bits a second.
  var rate: Int
  /// Samples a second.
  var sampleRate: Int
  var channels: Int

  /// The rates that AAC and MP4 know, down from the largest that is of use.
  private static let sampleRates = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]

  /// The best audio at so many bits a second: fewer of them go to fewer channels first, then to a narrower band, so that what remains is
  /// clean. Never more than the source has.
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
    // The next that loses nothing, or the largest that is allowed.
    let enough = Self.sampleRates.last { $0 >= source } ?? 48_000
    sampleRate = Self.sampleRates.first { $0 <= min(maximum, enough) } ?? 8_000
    // What AAC can make use of, by channel and sample (ISO/IEC 14496-3: 6,144 bits a frame of 1,024).
    rate = max(8_000, min(bits, 160_000, 5 * sampleRate * channels))
  }

  init(rate: Int, sampleRate: Int, channels: Int) {
    self.rate = rate
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// The audio of a video that may have so many bits a second for everything: about a sixth, which leaves speech clear, and the images
  /// the rest.
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

/// The eight rates of AMR narrow band (3GPP TS 26.071) with the bytes of a frame in a file, its head byte included (RFC 4867, section 5.3).
enum AMRMode {
  static let all: [(rate: Int, bytes: Int)] = [
    (12_200, 32), (10_200, 27), (7_950, 21), (7_400, 20), (6_700, 18), (5_900, 16), (5_150, 14), (4_750, 13),
  ]
  /// Frames a second.
  static let frames = 50.0
  /// `#!AMR` and a line feed.
  static let headBytes = 6

  /// The best that a video can have beside images.
  static func ofVideo(bits: Double) -> Int { bits >= 64_000 ? 12_200 : bits >= 40_000 ? 7_400 : 4_750 }
}
