/// The objective of fitting: the sum of these values over the images of a message is maximised.
enum FitMeasure {
  /// The value of an image with this similarity.
  static func value(similarity: Double) -> Double { similarity }

  /// The value of keeping an animation: as much as an image.
  static let animation = 1.0
  /// The value of keeping transparency.
  static let transparency = 0.1

  /// The coarseness of a JPEG quality: the percentage by which libjpeg scales the tables of ISO/IEC 10918-1 annex K.
  static func coarseness(ofQuality quality: Int) -> Double {
    quality < 50 ? 5_000 / Double(max(1, quality)) : Double(max(1, 200 - 2 * quality))
  }
}
