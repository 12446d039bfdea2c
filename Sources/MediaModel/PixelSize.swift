/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of `width` columns and `height` rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Columns times rows; `Int.max` when the product does not fit, so that a limit is exceeded rather than wrapped round.
  public var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// Columns become rows.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// Whether both sides are at least one pixel.
  public var isPositive: Bool { width > 0 && height > 0 }
}
