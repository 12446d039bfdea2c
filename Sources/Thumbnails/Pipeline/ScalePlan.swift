internal import MediaModel

/// How far an image may be reduced during decoding while every rendition still has enough pixels. Pure.
struct ScalePlan: Equatable {
  /// The largest scale of any request: 1 for full size, more if enlarging is allowed.
  let largestScale: Double
  /// The scale for a loader of vector graphics: ``largestScale``, or more if a long, thin image would otherwise have no
  /// pixel across.
  let drawingScale: Double
  /// The reduction that libjpeg does during decoding: 1, 2, 4 or 8.
  let jpegShrink: Int

  /// - Parameters:
  ///   - displayed: The size of the upright image.
  ///   - orientation: The orientation of the stored pixels. Crops are upright but are applied to stored pixels.
  init(requests: [RenditionRequest], displayed: PixelSize, orientation: MediaInfo.Orientation) {
    largestScale = requests.map { Self.scale(of: $0, displayed: displayed) }.max() ?? 1
    drawingScale = max(largestScale, 1 / Double(max(1, min(displayed.width, displayed.height))))
    // A block average leaves some aliasing, which the final Lanczos reduction hides if it has about two source pixels.
    // libvips asks for 2; 1.9 lets 12-megapixel photos (4032 → 256 is 15.75) use the cheapest decode, at 44 dB or
    // better.
    let spare = 1.9
    let stored = orientation.displayed(displayed)
    let crops = requests.compactMap { request in request.crop.map { orientation.storedRect($0, in: stored) } }
    let factor = 1 / largestScale
    jpegShrink =
      [8, 4, 2].first { shrink in
        factor / Double(shrink) >= spare
          // libvips 8.14.1 produces 0 rows if it averages more rows than there are, and then aborts the process.
          && min(stored.width, stored.height) >= shrink
          // A crop must be exact: its edges must be on the edges of the blocks.
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

  /// The size of a contained rendition of an image of this size, rounded as libvips does.
  static func containedSize(of request: RenditionRequest, displayed: PixelSize) -> PixelSize {
    let source = request.crop?.size ?? displayed
    let scale = scale(of: request, displayed: displayed)
    return PixelSize(
      width: max(1, Int((Double(source.width) * scale).rounded())),
      height: max(1, Int((Double(source.height) * scale).rounded())))
  }

  /// The integral factor by which an image that is too large to keep is averaged down, given the scale of the largest
  /// rendition.
  ///
  /// It is the first step of libvips' own resize, done once for all renditions. Only odd factors are used: libvips
  /// rounds halves up, so averaging by an even factor k brightens an image by 1/k of a level.
  static func averagingFactor(forScale scale: Double, reduction: Double) -> Int {
    let left = 1 / (scale * reduction)
    guard left.isFinite, left < 1e6 else { return 1 }
    return max(1, (Int(left / 2) - 1) | 1)
  }
}
