/// The progress of one encoding pass.
///
/// A file is encoded several times to find the best quality that fits. Only the end of a pass shows whether another is
/// needed. Progress is therefore known for each pass, and not for the whole.
public struct TranscodeProgress: Hashable, Codable, Sendable {
  /// The number of the pass, from 1. A video whose frames are copied into another container has no pass and reports no
  /// progress.
  public var encoding: Int
  /// Seconds of output encoded so far.
  public var seconds: Double
  /// Seconds of output in total; nil if unknown.
  public var duration: Double?

  /// Creates a progress report for a pass.
  public init(encoding: Int, seconds: Double, duration: Double? = nil) {
    self.encoding = encoding
    self.seconds = seconds
    self.duration = duration
  }

  /// The granularity of reports: hundredths where the duration is known, otherwise seconds.
  package var step: Int {
    // Rounding guard: one hundredth has no exact binary representation.
    let steps = (share.map { $0 * 100 } ?? seconds) + 1e-9
    return Int(exactly: max(0, min(steps, 1e9)).rounded(.down)) ?? 0
  }

  /// The completed fraction of this pass, 0…1; nil if the duration is unknown.
  public var share: Double? {
    duration.flatMap { $0 > 0 ? min(1, max(0, seconds / $0)) : nil }
  }
}
