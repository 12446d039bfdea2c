/// How a stored image has to be turned to stand upright: the eight values of EXIF tag 0x0112 (CIPA DC-008, 4.6.4).
public enum Orientation: Int, Codable, Sendable, CaseIterable {
  /// Stored upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Upside down.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal.
  case leftMirrored = 5
  /// To be turned 90° clockwise.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// To be turned 90° anticlockwise.
  case left = 8

  /// Whether columns become rows when the image is turned upright.
  public var swapsAxes: Bool { rawValue >= 5 }

  /// The size as displayed of an image stored with `size`; the same function leads back.
  public func displayed(_ size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

  /// Where a rectangle of the upright image lies in the stored pixels.
  ///
  /// - Parameters:
  ///   - rect: A rectangle inside the displayed image; for one that does not lie inside, so does the answer not.
  ///   - stored: The size of the image as stored.
  public func storedRect(_ rect: PixelRect, in stored: PixelSize) -> PixelRect {
    let displayed = displayed(stored)
    // Wrapping: a rectangle that nobody has checked gives a useless answer rather than a trap.
    let mirroredX = displayed.width &- rect.x &- rect.width
    let mirroredY = displayed.height &- rect.y &- rect.height
    switch self {
    case .up: return rect
    case .upMirrored: return PixelRect(x: mirroredX, y: rect.y, width: rect.width, height: rect.height)
    case .down: return PixelRect(x: mirroredX, y: mirroredY, width: rect.width, height: rect.height)
    case .downMirrored: return PixelRect(x: rect.x, y: mirroredY, width: rect.width, height: rect.height)
    case .leftMirrored: return PixelRect(x: rect.y, y: rect.x, width: rect.height, height: rect.width)
    case .right: return PixelRect(x: rect.y, y: mirroredX, width: rect.height, height: rect.width)
    case .rightMirrored: return PixelRect(x: mirroredY, y: mirroredX, width: rect.height, height: rect.width)
    case .left: return PixelRect(x: mirroredY, y: rect.x, width: rect.height, height: rect.width)
    }
  }
}
