internal import CMediaShims

/// Statistics of the luma of a frame, and how good a poster the frame makes. Pure.
struct FrameAnalysis: Equatable {
  /// Mean level, 0 (black) to 255 (white).
  var mean: Double
  /// Standard deviation of the levels.
  var deviation: Double
  /// Entropy of the levels, 0…1.
  var entropy: Double
  /// Fraction of samples in the fullest 16 adjacent levels, 0…1.
  var dominance: Double
  /// Fraction of positions that look like their neighbours, 0…1.
  var flatness: Double
  /// The gradient at the 95th percentile, in levels from one position to the next.
  var sharpness: Double
  /// Mean opacity, 0…1.
  var opacity = 1.0
  /// Whether parts of the frame were missing or concealed by the decoder.
  var isDamaged = false

  /// A frame of this score or a better one is taken without another being decoded.
  static let good = 0.5
  /// A frame with at most this score shows almost nothing: black, white, one color.
  static let poor = 0.12

  /// Factor for the score of a damaged frame.
  private static let damage = 0.1

  /// The score, from 0 (nothing to see) to 1 (contrast, detail, edges). It is a product, so that a single fault is
  /// enough to lose: docs/decisions/0009.
  var score: Double {
    // Black and white frames: the mean is near an end.
    let exposure = Self.ramp(mean, 8, 40) * Self.ramp(255 - mean, 8, 32)
    // One color, and frames that are still fading in: the levels are close together.
    let contrast = Self.ramp(deviation, 3, 28)
    // A blurred frame has no steep gradients in relation to its own contrast.
    let focus = Self.ramp(sharpness / max(deviation, 1), 0.12, 0.6)
    // A title card: most positions have one level and no detail.
    let variety = 1 - Self.ramp(dominance, 0.55, 0.9) * Self.ramp(flatness, 0.5, 0.85)
    let score = Self.ramp(entropy, 0.05, 0.75) * exposure * contrast * focus * variety
    // A frame that is almost transparent or damaged loses against every complete one.
    return score * Self.ramp(opacity, 0, 0.1) * (isDamaged ? Self.damage : 1)
  }

  /// 0 up to `low`, 1 from `high` on, linear between them.
  private static func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
    min(max(0, (value - low) / (high - low)), 1)
  }
}

extension FrameAnalysis {
  init(_ analysis: mediatool_frame_analysis) {
    self.init(
      mean: analysis.mean, deviation: analysis.deviation, entropy: analysis.entropy, dominance: analysis.dominance,
      flatness: analysis.flatness, sharpness: analysis.sharpness, opacity: analysis.opacity,
      isDamaged: analysis.is_damaged)
  }
}
