public import MediaModel

/// A decoded image in memory: rows of straight 8-bit RGBA.
public struct PixelBuffer: Equatable, Sendable, CustomStringConvertible {
  /// Columns and rows.
  public let size: PixelSize
  /// `width × height × 4` bytes.
  public let rgba: [UInt8]

  /// An image of those bytes; nil when they do not fit the size.
  public init?(size: PixelSize, rgba: [UInt8]) {
    guard size.isPositive, size.pixelCount <= Int.max / 4, rgba.count == size.pixelCount * 4 else { return nil }
    self.size = size
    self.rgba = rgba
  }

  /// An image made pixel by pixel, row by row. The closure gives red, green, blue and alpha.
  public init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
    var rgba: [UInt8] = []
    rgba.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width { rgba += pixel(x, y) }
    }
    self.size = PixelSize(width: width, height: height)
    self.rgba = rgba
  }

  /// Columns.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }

  /// The size alone: the testing library describes each argument of a test several times.
  public var description: String { "PixelBuffer of \(width) × \(height)" }

  /// Whether no pixel lets anything through.
  public var isOpaque: Bool { stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 } }

  /// Red, green, blue and alpha of a pixel inside the image.
  public subscript(x: Int, y: Int) -> [UInt8] {
    let at = (y * size.width + x) * 4
    return Array(rgba[at..<at + 4])
  }

  /// The same image with every pixel changed.
  public func mapped(_ change: (_ x: Int, _ y: Int, _ pixel: [UInt8]) -> [UInt8]) -> PixelBuffer {
    PixelBuffer(width: width, height: height) { x, y in change(x, y, self[x, y]) }
  }

  /// The part inside a rectangle, which must be inside the image.
  public func cropped(to rect: PixelRect) -> PixelBuffer {
    PixelBuffer(width: rect.width, height: rect.height) { x, y in self[rect.x + x, rect.y + y] }
  }
}
