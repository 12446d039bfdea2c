internal import Foundation

/// Searches for the best quality that fits, from the sizes of a few attempts. Pure.
///
/// The quantiser scale halves the bytes for about every six steps. It is x264's rate factor, or six times the logarithm
/// of H.263's quantiser.
struct QualitySearch {
  /// The best and the worst useful quantiser.
  let range: ClosedRange<Double>
  /// Maximum bytes of the video stream.
  var goal: Int
  /// Completed attempts, and the projected sizes of abandoned ones.
  private var whole: [Point] = []
  private var projected: [Point] = []
  /// The worst quality that was too large, with its projected bytes.
  private(set) var tooMuch: Point?

  typealias Point = (quantizer: Double, bytes: Double)

  /// The target as a fraction of the goal: attempts deviate from their projection.
  private static let margin = 0.96
  /// Qualities closer than this are equal.
  private static let nearest = 0.1

  init(range: ClosedRange<Double>, goal: Int) {
    self.range = range
    self.goal = goal
  }

  /// Records a completed attempt, whether or not its video stream fits.
  mutating func add(quantizer: Double, bytes: Int) {
    whole.append((quantizer, Double(max(1, bytes))))
    if bytes > goal { note(quantizer, Double(bytes)) }
  }

  /// Records an abandoned attempt. Its projection is a guess, because a video starts with its most expensive frame.
  mutating func addGivenUp(quantizer: Double, projected bytes: Double) {
    let bytes = max(bytes, Double(goal) * 1.01)
    projected.append((quantizer, bytes))
    note(quantizer, bytes)
  }

  private mutating func note(_ quantizer: Double, _ bytes: Double) {
    if quantizer >= tooMuch?.quantizer ?? -.infinity { tooMuch = (quantizer, bytes) }
  }

  /// Whether another attempt would gain too little: less than an eighth of the limit is unused, or the quality is as
  /// good as is useful.
  func isGoodEnough(_ quantizer: Double, totalBytes: Int, of limit: Int) -> Bool {
    quantizer <= range.lowerBound + 0.01 || Double(totalBytes) >= 0.875 * Double(limit)
  }

  /// The next quantiser; nil if even the worst quality was too large, or if no candidate lies between what fitted and
  /// what did not.
  func next() -> Double? {
    let target = Double(max(1, goal)) * Self.margin
    let fitted = whole.filter { $0.bytes <= Double(goal) }.min { $0.quantizer < $1.quantizer }
    var next: Double
    if let tooMuch, let fitted, fitted.quantizer - tooMuch.quantizer <= 2 * Self.nearest { return nil }
    // Completed attempts are the most reliable.
    let known = whole.isEmpty ? projected : whole
    guard let tried = known.min(by: { distance($0, target) < distance($1, target) }) else { return nil }
    next = tried.quantizer + log2(target / tried.bytes) / slope(at: tried)
    // Increasing steps while attempts provide little information.
    if whole.isEmpty { next = max(next, tried.quantizer + 0.75 * pow(2, Double(projected.count - 1))) }
    if let tooMuch, let fitted {
      let slope = log2(tooMuch.bytes / fitted.bytes) / (tooMuch.quantizer - fitted.quantizer)
      next = fitted.quantizer + log2(target / fitted.bytes) / slope
      let inner = (tooMuch.quantizer + Self.nearest)...(fitted.quantizer - Self.nearest)
      if !inner.contains(next) { next = (tooMuch.quantizer + fitted.quantizer) / 2 }
    } else if let tooMuch {
      guard tooMuch.quantizer < range.upperBound else { return nil }
      next = max(next, tooMuch.quantizer + 1)
    } else if let fitted {
      guard fitted.quantizer > range.lowerBound else { return nil }
      next = min(next, fitted.quantizer - Self.nearest)
    }
    return min(max(next, range.lowerBound), range.upperBound)
  }

  private func distance(_ point: Point, _ target: Double) -> Double { abs(log2(point.bytes / target)) }

  /// The slope of the logarithm of the bytes: one half per six steps, until two attempts give a better estimate. It is
  /// steeper where the quality was far too high, because the noise of the video is encoded there.
  private func slope(at tried: Point) -> Double {
    let others = (whole + projected).filter { abs($0.quantizer - tried.quantizer) > 0.5 }
    guard let other = others.min(by: { abs($0.quantizer - tried.quantizer) < abs($1.quantizer - tried.quantizer) })
    else { return whole.isEmpty ? -1.0 / 4.5 : -1.0 / 6 }
    let measured = log2(tried.bytes / other.bytes) / (tried.quantizer - other.quantizer)
    return min(max(measured, -0.4), -0.04)
  }
}
