/// How far the writing of a video or an audio file anew has come.
///
/// A file is encoded a few times until the best quality that fits is found, and whether another time is needed shows only at the end of one:
/// so there is a share of each encoding, and none of the whole.
public struct TranscodeProgress: Hashable, Codable, Sendable {
  /// Which encoding this is, from 1. A video whose images only move into another container has none, and nothing is told of it.
  public var encoding: Int
  /// Seconds of the file that it has come to.
  public var seconds: Double
  /// Seconds that it will come to; nil for unknown.
  public var duration: Double?

  /// That encoding, so far.
  public init(encoding: Int, seconds: Double, duration: Double? = nil) {
    self.encoding = encoding
    self.seconds = seconds
    self.duration = duration
  }

  /// What is told apart: hundredths where the length is known, else seconds.
  package var step: Int {
    // A hair more, for a hundredth is no number of the machine's.
    let steps = (share.map { $0 * 100 } ?? seconds) + 1e-9
    return Int(exactly: max(0, min(steps, 1e9)).rounded(.down)) ?? 0
  }

  /// The share of this encoding that is done, 0…1; nil where the length is not known.
  public var share: Double? {
    duration.flatMap { $0 > 0 ? min(1, max(0, seconds / $0)) : nil }
  }
}
