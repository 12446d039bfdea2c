/// What is made as large as the limit allows: the sum of this over the images of a message.
enum FitMeasure {
  /// What an image of that similarity is worth.
  static func value(similarity: Double) -> Double { similarity }

  /// What it is worth that an animation still moves: as much as an image.
  static let animation = 1.0
  /// What it is worth that transparency is kept.
  static let transparency = 0.1

  /// How coarse a JPEG of a quality is: the factor, in percent, that libjpeg scales the tables of ISO/IEC 10918-1 annex K by.
  static func coarseness(ofQuality quality: Int) -> Double {
    quality < 50 ? 5_000 / Double(max(1, quality)) : Double(max(1, 200 - 2 * quality))
  }
}
