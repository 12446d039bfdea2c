internal import MediaModel

/// The scale at which a page is rasterised. Pure.
///
/// A page has no pixels of its own, so it fills the box of the largest request; the other renditions are reductions of
/// that.
struct PageScale: Equatable {
  /// Pixels per point (1/72 inch).
  let scale: Double
  /// The size of the page in whole points, the unit of crops.
  let points: PixelSize

  /// - Parameters:
  ///   - width: The width of the displayed page in points.
  ///   - height: The height of the displayed page in points.
  ///   - maxPixels: A page that would have more pixels is scaled down.
  ///
  /// - Throws: `corrupt` for a page that vanishes at any allowed size; `invalidRequest`.
  init(requests: [RenditionRequest], width: Double, height: Double, maxPixels: Int) throws(MediaFailure) {
    guard width > 0, height > 0, width.isFinite, height.isFinite, max(width, height) < 1e12 else { throw Self.noArea }
    points = PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    var scale = 0.0
    for request in requests {
      try request.check(against: points)
      let across = Double(request.box.width) / (request.crop.map { Double($0.width) } ?? width)
      let down = Double(request.box.height) / (request.crop.map { Double($0.height) } ?? height)
      scale = max(scale, request.fit == .contain ? min(across, down) : max(across, down))
    }
    // A long, thin page keeps at least one pixel across.
    scale = max(scale, 1 / min(width, height))
    // Rounding to whole pixels adds at most half a pixel per side.
    let (drawnWidth, drawnHeight) = (width * scale + 0.5, height * scale + 0.5)
    if drawnWidth * drawnHeight > Double(maxPixels) {
      scale *= (Double(maxPixels) / (drawnWidth * drawnHeight)).squareRoot()
      // Truncated to whole pixels, so that rounding does not exceed the limit again.
      scale *= 1 - 1 / max(2, min(width, height) * scale)
    }
    guard min(width, height) * scale >= 0.5, max(width, height) * scale <= Self.longest else { throw Self.noArea }
    self.scale = scale
  }

  /// Converts a crop in points to pixels of the rasterised page.
  func drawn(_ crop: PixelRect, in size: PixelSize) -> PixelRect {
    func part(_ start: Int, _ length: Int, of whole: Int, drawn: Int) -> (start: Int, length: Int) {
      let factor = Double(drawn) / Double(max(1, whole))
      let first = min(max(0, Int((Double(start) * factor).rounded())), drawn - 1)
      let end = min(max(first + 1, Int((Double(start + length) * factor).rounded())), drawn)
      return (first, end - first)
    }
    let across = part(crop.x, crop.width, of: points.width, drawn: size.width)
    let down = part(crop.y, crop.height, of: points.height, drawn: size.height)
    return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
  }

  /// libvips' maximum for a side.
  private static let longest = 10_000_000.0

  private static var noArea: MediaFailure { MediaFailure(.corrupt, "The page has a width or height of 0.") }
}
