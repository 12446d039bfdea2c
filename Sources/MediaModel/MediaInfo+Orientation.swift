extension MediaInfo {
  /// The rotation and mirroring that a stored image needs: the eight values of EXIF tag 0x0112 (CIPA DC-008, 4.6.4).
  public enum Orientation: Int, Codable, Sendable, CaseIterable {
    /// Stored upright: no change.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored = 2
    /// Rotated by 180°.
    case down = 3
    /// Mirrored vertically.
    case downMirrored = 4
    /// Transposed: mirrored along the main diagonal.
    case leftMirrored = 5
    /// Needs a clockwise rotation by 90°.
    case right = 6
    /// Transversed: mirrored along the antidiagonal.
    case rightMirrored = 7
    /// Needs a counterclockwise rotation by 90°.
    case left = 8

    /// Whether the orientation swaps width and height.
    public var swapsAxes: Bool { rawValue >= 5 }

    /// The displayed size of an image stored with `size`. The function is its own inverse.
    public func displayed(_ size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

    /// The rectangle in stored pixels for a rectangle of the displayed image.
    ///
    /// - Parameters:
    ///   - rect: A rectangle inside the displayed image. For any other rectangle, the result lies outside the image
    ///   too.
    ///   - stored: The size of the image as stored.
    public func storedRect(_ rect: PixelRect, in stored: PixelSize) -> PixelRect {
      let displayed = displayed(stored)
      // Wrapping arithmetic: an unchecked rectangle gives a useless result rather than a trap.
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
}
