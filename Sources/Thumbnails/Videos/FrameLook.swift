internal import CMediaShims

/// What a glance at the luma of a frame tells, and how good a poster the frame makes. Pure.
struct FrameLook: Equatable {
  /// Mean level, 0 (black) to 255 (white).
  var mean: Double
  /// Standard deviation of the levels.
  var deviation: Double
  /// Entropy of the levels, 0…1.
  var entropy: Double
  /// Share of the fullest 16 neighbouring levels, 0…1.
  var dominance: Double
  /// Share of places that look like their neighbours, 0…1.
  var flatness: Double
  /// The steepest twentieth of the slopes, in levels from one place to the next.
  var sharpness: Double
  /// Mean opacity, 0…1.
  var opacity = 1.0
  /// Whether parts of the frame were missing or guessed by the decoder.
  var isDamaged = false

  /// A frame of this score or a better one is taken without looking at another.
  static let good = 0.5
  /// A frame of this score or a worse one shows next to nothing: black, white, one colour.
  static let poor = 0.12

  /// What the score of a damaged frame is multiplied by.
  private static let damage = 0.1

  /// 0 (nothing to see) to 1 (light and dark, detail, edges). The product of what is wanted, so that one fault is enough to lose:
  /// docs/decisions/0009.
  var score: Double {
    // Black and white: the mean lies near an end.
    let exposure = Self.ramp(mean, 8, 40) * Self.ramp(255 - mean, 8, 32)
    // One colour, and images that are still fading in: the levels lie close together.
    let contrast = Self.ramp(deviation, 3, 28)
    // A blurred image has no steep slopes, measured by its own contrast.
    let focus = Self.ramp(sharpness / max(deviation, 1), 0.12, 0.6)
    // A title card: most places have one level and no detail.
    let variety = 1 - Self.ramp(dominance, 0.55, 0.9) * Self.ramp(flatness, 0.5, 0.85)
    let score = Self.ramp(entropy, 0.05, 0.75) * exposure * contrast * focus * variety
    // A frame of which nearly all can be seen through, and one that is broken, lose against every whole image.
    return score * Self.ramp(opacity, 0, 0.1) * (isDamaged ? Self.damage : 1)
  }

  /// 0 up to `low`, 1 from `high` on, straight between them.
  private static func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
    min(max(0, (value - low) / (high - low)), 1)
  }
}

extension FrameLook {
  init(_ look: mediatool_video_look) {
    self.init(
      mean: look.mean, deviation: look.deviation, entropy: look.entropy, dominance: look.dominance,
      flatness: look.flatness, sharpness: look.sharpness, opacity: look.opacity, isDamaged: look.is_damaged)
  }
}
