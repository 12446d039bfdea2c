internal import ISOBaseMedia

/// The sample groups of a track (ISO/IEC 14496-12, 8.9). They change no fact.
///
/// libavformat reads two kinds: `rap `, samples from which decoding can begin, and `sync`, key frames of H.265 by their NAL unit type (ISO/IEC 14496-15, 8.4.4),
/// which iPhones write. Both serve to seek. It skips all others, among them `roll`, `prol`, `tscl`, `tsas` and `stsa`.
struct SampleGroups {
  /// Maximum number of samples of a track with groups of the kind `sync`, three days of video. libavformat makes lists of them.
  private static let sampleLimit = 16_777_216

  private var hasSync = false
  /// The largest number of samples in the groups of a box, and of samples with a composition time.
  private var grouped = 0
  private var offsets = 0

  /// Reads composition times (`ctts`), which libavformat counts where there are groups.
  mutating func readOffsets(_ fields: inout MovieFields) throws(UnusualMovie) {
    _ = try fields.version(0...1)
    offsets = try Self.samples(&fields)
  }

  /// Reads descriptions of groups (`sgpd`).
  mutating func readDescriptions(_ fields: inout MovieFields) throws(UnusualMovie) {
    let version = try fields.version(0...2).version
    guard try fields.type() == "sync" else { return }
    // Version 0 states no lengths, and version 2 has another meaning for libavformat.
    try UnusualMovie.unless(version == 1)
    let length = try fields.unsigned(4)
    for _ in 0..<(try fields.count(ofRecords: 1)) {
      let own = try length == 0 ? fields.unsigned(4) : length
      // The type of a NAL unit, at least.
      try UnusualMovie.unless(own > 0)
      try fields.skip(own)
    }
  }

  /// Reads which samples are in groups (`sbgp`).
  mutating func readSamples(_ fields: inout MovieFields) throws(UnusualMovie) {
    let version = try fields.version(0...2).version
    let type = try fields.type()
    guard type == "sync" || type == "rap " else { return }
    if version == 1 { try fields.skip(4) }
    let samples = try Self.samples(&fields)
    guard type == "sync" else { return }
    hasSync = true
    grouped = max(grouped, samples)
  }

  /// The number of samples in runs of eight bytes each, which begin with their own numbers.
  private static func samples(_ fields: inout MovieFields) throws(UnusualMovie) -> Int {
    var samples = 0
    for _ in 0..<(try fields.count(ofRecords: 8)) {
      // The sum of two million numbers of 32 bits does not overflow.
      samples += try fields.unsigned(4)
      try fields.skip(4)
    }
    return samples
  }

  /// Checks that libavformat's lists have no more entries than there are samples.
  func check(samples: Int) throws(UnusualMovie) {
    guard hasSync else { return }
    try UnusualMovie.unless(samples <= Self.sampleLimit && grouped <= samples && offsets <= samples)
  }
}
