internal import MediaModel
internal import MediaProbe

/// A decoded image from which all renditions of one batch are made.
struct BaseImage: ~Copyable {
  /// Above this number of pixels (144 MiB of RGB), an image is averaged down before it is kept for several renditions.
  private static let keptPixels = 50_331_648

  private let image: Image
  /// Whether the crop that all requests share has already been applied.
  private let isCropped: Bool
  private let cropper: Cropper
  /// The crop for requests that state none.
  private let letterboxCrop: PixelRect?
  private let requests: [RenditionRequest]
  private let ladder: RenditionLadder
  /// The size of the whole upright image, without letterbox bars.
  private let displayed: PixelSize

  /// Opens the image, reduced as far as the largest request allows. Decodes it here only if its pixels are read more
  /// than once.
  init(
    _ source: borrowing ImageSource, input: borrowing MediaInput, origin: ImageOrigin,
    requests: [RenditionRequest], frames: Int, strict: Bool, limits: MediaLimits, deadline: DecodingDeadline
  ) throws(MediaFailure) {
    let plan = try DecodePlan(
      source, origin: origin, requests: requests, frames: frames, strict: strict, limits: limits)
    var image = try deadline.applied(to: plan.image(source, input: input))
    try limits.check(pixels: image.size.pixelCount)
    // Check again after loading: the facts may have counted differently.
    if image.frames > 1 { try limits.check(animationPixels: image.size.pixelCount, frames: image.frames) }
    image.set(orientation: plan.orientation)
    if origin.isSRGB { image.dropProfile() }

    let displayed =
      origin.letterboxCrop?.size ?? origin.displayed ?? plan.orientation.displayed(image.size)
    let ladder = RenditionLadder(
      requests: requests, displayed: displayed, isPlain: image.frames == 1 && !image.hasAlpha)
    let cropper = Cropper(displayed: origin.displayed, orientation: plan.orientation, reduction: plan.shrink)
    let crops = Set(requests.map { $0.crop ?? origin.letterboxCrop })
    let common = crops.count == 1 ? crops.first ?? nil : nil
    if let common { image = try cropper.crop(common, from: image) }
    let highRange = plan.keepsSignals ? origin.highRange : nil
    let isTooLarge = ladder.steps.count > 1 && image.size.pixelCount > Self.keptPixels
    if isTooLarge || highRange != nil, crops.count == 1, frames == 1 {
      let scale = plan.scalePlan.largestScale
      let factor = ScalePlan.averagingFactor(forScale: scale, reduction: plan.reduction)
      // A side of a few pixels would be rounded up too much.
      if factor > 1, min(image.width, image.height) >= 64 * factor { image = try image.shrunk(by: factor) }
    }
    // After the first reduction, which leaves fewer pixels to map, and before the last one, which leaves 8 bits.
    if let highRange { image = try image.toneMapped(highRange) }
    if ladder.steps.count > 1 { image = try image.inMemory() }
    self.image = image
    self.isCropped = common != nil
    self.cropper = cropper
    self.requests = requests
    self.ladder = ladder
    self.displayed = displayed
    self.letterboxCrop = origin.letterboxCrop
  }

  /// Creates a base image from pixels of a still in memory, which are upright or have their orientation set.
  init(decoded image: consuming Image, orientation: MediaInfo.Orientation = .up, requests: [RenditionRequest]) {
    let displayed = orientation.displayed(image.size)
    self.ladder = RenditionLadder(requests: requests, displayed: displayed, isPlain: !image.hasAlpha)
    self.cropper = Cropper(displayed: displayed, orientation: orientation, reduction: 1)
    self.image = image
    self.isCropped = false
    self.requests = requests
    self.letterboxCrop = nil
    self.displayed = displayed
  }

  /// Calls a closure with the pixels of every rendition (cropped, upright, resized, 8-bit) and the index of its
  /// request.
  borrowing func forEachRendition(
    _ body: (Int, borrowing Image) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    for step in ladder.steps {
      var larger = try image(for: requests[step.root])
      try body(step.root, larger)
      // The pixels are already sRGB and must not be converted again.
      larger.dropProfile()
      for index in step.smaller { try body(index, smaller(of: larger, for: requests[index]).inMemory()) }
    }
  }

  /// Makes a rendition from a larger one, at the size that it would have if made from the original.
  private borrowing func smaller(
    of larger: borrowing Image, for request: RenditionRequest
  ) throws(MediaFailure) -> Image {
    guard request.fit == .contain else { return try larger.resized(for: request) }
    return try larger.resized(
      for: request, exactly: ScalePlan.containedSize(of: request, displayed: displayed))
  }

  private borrowing func image(for request: RenditionRequest) throws(MediaFailure) -> Image {
    guard !isCropped, let crop = request.crop ?? letterboxCrop else {
      return try image.resized(for: request).inMemory()
    }
    return try cropper.crop(crop, from: image).resized(for: request).inMemory()
  }
}
