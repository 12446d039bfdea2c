/// A rectangle in whole pixels, with its origin in the top left corner of the image.
public struct PixelRect: Hashable, Codable, Sendable {
  /// Column of the left edge.
  public var x: Int
  /// Row of the top edge.
  public var y: Int
  /// Pixels from the left to the right edge.
  public var width: Int
  /// Pixels from the top to the bottom edge.
  public var height: Int

  /// Creates a rectangle whose top left pixel is (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle's width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether the rectangle is not empty, and inside an image of `size`. Never overflows.
  public func lies(inside size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0
      && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }
}
