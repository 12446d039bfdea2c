/// A rectangle in whole pixels, counted from the top left corner.
public struct PixelRect: Hashable, Codable, Sendable {
  /// Columns left of the rectangle.
  public var x: Int
  /// Rows above the rectangle.
  public var y: Int
  /// Columns inside.
  public var width: Int
  /// Rows inside.
  public var height: Int

  /// A rectangle whose top left pixel is (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The size without the place.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether the rectangle has an area and lies wholly inside an image of `size`. Never overflows.
  public func lies(inside size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0
      && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }
}
