internal import Foundation

/// Finds the best quality that fits, from what a few tries came to. Pure.
///
/// The quantiser is on a scale on which six more is about half the bytes: x264's rate factor, and six times the logarithm of H.263's quantiser.
struct QualitySearch {
  /// The best and the worst that are of use.
  let range: ClosedRange<Double>
  /// Bytes that the pictures may have.
  var goal: Int
  /// Tries that came to their end.
  private var whole: [(quantizer: Double, bytes: Double)] = []
  /// The worst quality that was too much, with the bytes that were foretold for it.
  private(set) var tooMuch: (quantizer: Double, bytes: Double)?
  private var givenUp = 0

  /// A part of the goal that is left free, for no try comes out as foretold.
  private static let margin = 0.96
  /// Qualities that are nearer to each other than this are one.
  private static let nearest = 0.2

  init(range: ClosedRange<Double>, goal: Int) {
    self.range = range
    self.goal = goal
  }

  /// A try came to its end, whether its pictures have few enough bytes or not.
  mutating func add(quantizer: Double, bytes: Int) {
    whole.append((quantizer, Double(max(1, bytes))))
    if bytes > goal { note(quantizer, Double(bytes)) }
  }

  /// A try was given up. What is foretold of it is a guess, for a film begins with its dearest picture.
  mutating func addGivenUp(quantizer: Double, foretold bytes: Double) {
    givenUp += 1
    note(quantizer, max(bytes, Double(goal) * 1.01))
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
    let fitted = whole.filter { $0.bytes <= Double(goal) }.map(\.quantizer).min()
    var next: Double
    if let tried = whole.min(by: { abs(log2($0.bytes / target)) < abs(log2($1.bytes / target)) }) {
      next = tried.quantizer + log2(target / tried.bytes) / slope(at: tried)
    } else if let tooMuch {
      // In ever larger steps, for each of these tells little.
      next = tooMuch.quantizer + max(6 * log2(tooMuch.bytes / target), 1.5 * pow(2, Double(givenUp - 1)))
    } else {
      return nil
    }
    if let tooMuch, let fitted {
      guard fitted - tooMuch.quantizer > 2 * Self.nearest else { return nil }
      if next <= tooMuch.quantizer || next >= fitted { next = (tooMuch.quantizer + fitted) / 2 }
      next = min(max(next, tooMuch.quantizer + Self.nearest), fitted - Self.nearest)
    } else if let tooMuch {
      guard tooMuch.quantizer < range.upperBound else { return nil }
      next = max(next, tooMuch.quantizer + 1)
    } else if let fitted {
      guard fitted > range.lowerBound else { return nil }
      next = min(next, fitted - Self.nearest)
    }
    return min(max(next, range.lowerBound), range.upperBound)
  }

  /// How the logarithm of the bytes changes: halves for six on the scale, until two tries tell better.
  private func slope(at tried: (quantizer: Double, bytes: Double)) -> Double {
    let others = whole.filter { abs($0.quantizer - tried.quantizer) > 0.2 }
    guard let other = others.min(by: { abs($0.quantizer - tried.quantizer) < abs($1.quantizer - tried.quantizer) })
    else { return -1.0 / 6 }
    let measured = log2(tried.bytes / other.bytes) / (tried.quantizer - other.quantizer)
    return min(max(measured, -0.4), -0.06)
  }
}
