internal import Foundation

/// Finds the best quality that fits, from what a few tries came to. Pure.
///
/// The quantiser is on a scale on which six more is about half the bytes: x264's rate factor, and six times the logarithm of H.263's quantiser.
struct QualitySearch {
  /// The best and the worst that are of use.
  let range: ClosedRange<Double>
  /// Bytes that the images may have.
  var goal: Int
  /// Tries that came to their end, and what was foretold of those that were given up.
  private var whole: [Point] = []
  private var projected: [Point] = []
  /// The worst quality that was too much, with the bytes that were foretold for it.
  private(set) var tooMuch: Point?

  typealias Point = (quantizer: Double, bytes: Double)

  /// A part of the goal that is left free, for no try comes out as foretold.
  private static let margin = 0.96
  /// Qualities that are nearer to each other than this are one.
  private static let nearest = 0.1

  init(range: ClosedRange<Double>, goal: Int) {
    self.range = range
    self.goal = goal
  }

  /// A try came to its end, whether its images have few enough bytes or not.
  mutating func add(quantizer: Double, bytes: Int) {
    whole.append((quantizer, Double(max(1, bytes))))
    if bytes > goal { note(quantizer, Double(bytes)) }
  }

  /// A try was given up. What is foretold of it is a guess, for a video begins with its dearest image.
  mutating func addGivenUp(quantizer: Double, projected bytes: Double) {
    let bytes = max(bytes, Double(goal) * 1.01)
    projected.append((quantizer, bytes))
    note(quantizer, bytes)
  }

  private mutating func note(_ quantizer: Double, _ bytes: Double) {
    if quantizer >= tooMuch?.quantizer ?? -.infinity { tooMuch = (quantizer, bytes) }
  }

  /// Whether a try with those bytes leaves so little that another one is not worth its time: an eighth; or is as good as is of use.
  func isGoodEnough(_ quantizer: Double, totalBytes: Int, of limit: Int) -> Bool {
    quantizer <= range.lowerBound + 0.01 || Double(totalBytes) >= 0.875 * Double(limit)
  }

  /// The next quantiser; nil when the worst was too much already, or there is nothing between what fitted and what did not.
  func next() -> Double? {
    let target = Double(max(1, goal)) * Self.margin
    let fitted = whole.filter { $0.bytes <= Double(goal) }.min { $0.quantizer < $1.quantizer }
    var next: Double
    if let tooMuch, let fitted, fitted.quantizer - tooMuch.quantizer <= 2 * Self.nearest { return nil }
    // What came to its end says most.
    let known = whole.isEmpty ? projected : whole
    guard let tried = known.min(by: { distance($0, target) < distance($1, target) }) else { return nil }
    next = tried.quantizer + log2(target / tried.bytes) / slope(at: tried)
    // In ever larger steps where each try tells too little.
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

  /// How the logarithm of the bytes changes: halves for six on the scale, until two tries tell better. Where the quality was far too good, faster:
  /// there the noise of a video is encoded.
  private func slope(at tried: Point) -> Double {
    let others = (whole + projected).filter { abs($0.quantizer - tried.quantizer) > 0.5 }
    guard let other = others.min(by: { abs($0.quantizer - tried.quantizer) < abs($1.quantizer - tried.quantizer) })
    else { return whole.isEmpty ? -1.0 / 4.5 : -1.0 / 6 }
    let measured = log2(tried.bytes / other.bytes) / (tried.quantizer - other.quantizer)
    return min(max(measured, -0.4), -0.04)
  }
}
