/// What is made as large as the limit allows: the sum of this over the pictures of a message.
enum FitMeasure {
  /// What a picture of that similarity is worth.
  static func value(similarity: Double) -> Double { similarity }

  /// What it is worth that an animation still moves: as much as a picture.
  static let animation = 1.0
  /// What it is worth that transparency is kept.
  static let transparency = 0.1

  /// `base` to a power in 0…1 by halving, which gives the same bits on every machine, as `pow` need not.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    var (result, root, rest) = (1.0, base, exponent)
    for _ in 0..<24 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
    }
    return result
  }
}
