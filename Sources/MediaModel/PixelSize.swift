/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size that may be empty or negative: see ``isPositive``.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width times height. `Int.max` on overflow, so that a limit is exceeded instead of the number wrapping around.
  public var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// The size with width and height swapped.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// Whether width and height are at least 1.
  public var isPositive: Bool { width > 0 && height > 0 }
}
