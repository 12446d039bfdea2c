internal import MediaModel
internal import MediaProbe

/// A decoded picture from which all renditions of one batch are made.
struct BasePicture: ~Copyable {
  /// Beyond so many pixels (144 MiB of RGB) a picture is averaged down before it is kept for several renditions.
  private static let keptPixels = 50_331_648

  private let picture: Picture
  /// Whether the crop that all requests share has been cut already.
  private let isCropped: Bool
  private let cropper: Cropper
  private let requests: [RenditionRequest]
  private let ladder: RenditionLadder
  /// The size of all that is shown, upright: without bars.
  private let displayed: PixelSize

  /// Opens the picture, reduced as far as the largest request allows; pixels are made here only when they are read more than once.
  init(
    _ source: borrowing PictureSource, input: borrowing MediaInput, origin: PictureOrigin,
    requests: [RenditionRequest], frames: Int, strict: Bool, limits: MediaLimits, deadline: DecodingDeadline
  ) throws(MediaFailure) {
    let plan = try DecodePlan(
      source, origin: origin, requests: requests, frames: frames, strict: strict, limits: limits)
    var picture = try deadline.guarded(plan.picture(source, input: input))
    try limits.check(pixels: picture.size.pixelCount)
    // The loader has the last word: the facts may have counted otherwise.
    if picture.frames > 1 { try limits.check(animationPixels: picture.size.pixelCount, frames: picture.frames) }
    picture.set(orientation: origin.orientation)
    if origin.isSRGB { picture.dropProfile() }

    let displayed =
      origin.letterboxCrop?.size ?? origin.displayed ?? origin.orientation.displayed(picture.size)
    let ladder = RenditionLadder(
      requests: requests, displayed: displayed, isPlain: picture.frames == 1 && !picture.hasAlpha)
    let cropper = Cropper(origin: origin, reduction: plan.shrink)
    let crops = Set(requests.map { $0.crop ?? origin.letterboxCrop })
    let common = crops.count == 1 ? crops.first ?? nil : nil
    if let common { picture = try cropper.crop(common, from: picture) }
    let highRange = plan.keepsSignals ? origin.highRange : nil
    let isTooLarge = ladder.steps.count > 1 && picture.size.pixelCount > Self.keptPixels
    if isTooLarge || highRange != nil, crops.count == 1, frames == 1 {
      let scale = plan.scalePlan.largestScale
      let factor = ScalePlan.averagingFactor(forScale: scale, reduction: plan.reduction)
      // A side of a few pixels would be rounded up by too much.
      if factor > 1, min(picture.width, picture.height) >= 64 * factor { picture = try picture.shrunk(by: factor) }
    }
    // After the first reduction, which leaves fewer pixels to map, and before the last one, which leaves 8 bits.
    if let highRange { picture = try picture.toneMapped(highRange) }
    if ladder.steps.count > 1 { picture = try picture.inMemory() }
    self.picture = picture
    self.isCropped = common != nil
    self.cropper = cropper
    self.requests = requests
    self.ladder = ladder
    self.displayed = displayed
  }

  /// Hands over the pixels of every rendition (cropped, upright, resized, 8-bit) with the number of its request.
  borrowing func forEachRendition(
    _ body: (Int, borrowing Picture) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    for step in ladder.steps {
      var larger = try picture(for: requests[step.root])
      try body(step.root, larger)
      // In sRGB as it stands, so that it is not converted once more.
      larger.dropProfile()
      for index in step.smaller { try body(index, smaller(of: larger, for: requests[index]).inMemory()) }
    }
  }

  /// A rendition of a larger one; of the size that it would have if it were made of the whole.
  private borrowing func smaller(
    of larger: borrowing Picture, for request: RenditionRequest
  ) throws(MediaFailure) -> Picture {
    guard request.fit == .contain else { return try larger.resized(for: request) }
    return try larger.resized(
      for: request, exactly: ScalePlan.containedSize(of: request, displayed: displayed))
  }

  private borrowing func picture(for request: RenditionRequest) throws(MediaFailure) -> Picture {
    guard !isCropped, let crop = request.crop ?? cropper.origin.letterboxCrop else {
      return try picture.resized(for: request).inMemory()
    }
    return try cropper.crop(crop, from: picture).resized(for: request).inMemory()
  }
}
