internal import MediaModel

/// How far an image may be reduced while it is decoded, so that every rendition still has pixels to spare. Pure.
struct ScalePlan: Equatable {
  /// The largest scale that any request needs, 1 for full size, more when enlarging is allowed.
  let largestScale: Double
  /// The scale at which a loader that draws at any scale has to draw: ``largestScale``, or more where a long, thin image would
  /// be left without a pixel across.
  let drawingScale: Double
  /// The reduction that libjpeg does while decoding: 1, 2, 4 or 8.
  let jpegShrink: Int

  /// - Parameters:
  ///   - displayed: The size of the upright image.
  ///   - orientation: How the stored pixels are turned; crops are given upright and cut as stored.
  init(requests: [RenditionRequest], displayed: PixelSize, orientation: Orientation) {
    largestScale = requests.map { Self.scale(of: $0, displayed: displayed) }.max() ?? 1
    drawingScale = max(largestScale, 1 / Double(max(1, min(displayed.width, displayed.height))))
    // A block average leaves some aliasing, which the last reduction by Lanczos hides when it has about two pixels or more
    // to work with. libvips asks for 2; 1.9 lets 12-megapixel photos (4032 → 256 is 15.75) take the cheapest decode, at 44 dB or better.
    let spare = 1.9
    let stored = orientation.displayed(displayed)
    let crops = requests.compactMap { request in request.crop.map { orientation.storedRect($0, in: stored) } }
    let factor = 1 / largestScale
    jpegShrink =
      [8, 4, 2].first { shrink in
        factor / Double(shrink) >= spare
          // libvips 8.14.1 makes 0 rows of fewer than it averages, and ends the process over them.
          && min(stored.width, stored.height) >= shrink
          // A crop is cut exactly or not at all: its edges fall on the edges of the blocks.
          && crops.allSatisfy { rect in
            [rect.x, rect.y, rect.width, rect.height].allSatisfy { $0 % shrink == 0 }
          }
      } ?? 1
  }

  /// The scale from the displayed image to the rendition.
  static func scale(of request: RenditionRequest, displayed: PixelSize) -> Double {
    let source = request.crop?.size ?? displayed
    guard source.isPositive else { return 1 }
    let across = Double(request.box.width) / Double(source.width)
    let down = Double(request.box.height) / Double(source.height)
    let scale =
      switch request.fit {
      case .contain: min(across, down)
      case .cover: max(across, down)
      }
    return request.allowsUpscaling ? scale : min(1, scale)
  }

  /// The size of a rendition that stays within its box, made of an image of that size; as libvips rounds it.
  static func containedSize(of request: RenditionRequest, displayed: PixelSize) -> PixelSize {
    let source = request.crop?.size ?? displayed
    let scale = scale(of: request, displayed: displayed)
    return PixelSize(
      width: max(1, Int((Double(source.width) * scale).rounded())),
      height: max(1, Int((Double(source.height) * scale).rounded())))
  }

  /// The whole factor by which an image that is too large to be kept is averaged down, for a largest rendition of that scale.
  ///
  /// The first step that libvips' own resize takes, for all renditions at once. Odd factors only: libvips rounds halves up,
  /// so that averaging by an even factor k brightens an image by 1/k of a level.
  static func averagingFactor(forScale scale: Double, reduction: Double) -> Int {
    let left = 1 / (scale * reduction)
    guard left.isFinite, left < 1e6 else { return 1 }
    return max(1, (Int(left / 2) - 1) | 1)
  }
}
