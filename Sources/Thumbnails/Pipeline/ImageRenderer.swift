internal import MediaModel
internal import MediaProbe

/// Renders one image: facts → limits → bytes → pixels → renditions → placeholder.
struct ImageRenderer {
  let info: MediaInfo
  /// The requested renditions, followed by the reference images for comparisons.
  let requests: [RenditionRequest]
  let comparisons: ReferenceImages
  let options: Thumbnailer.Options
  let deadline: Deadline

  init(info: MediaInfo, requests: [RenditionRequest], options: Thumbnailer.Options, deadline: Deadline) {
    let comparisons = ReferenceImages(of: requests)
    self.init(
      info: info, requests: requests + comparisons.requests, comparisons: comparisons, options: options,
      deadline: deadline)
  }

  private init(
    info: MediaInfo, requests: [RenditionRequest], comparisons: ReferenceImages, options: Thumbnailer.Options,
    deadline: Deadline
  ) {
    self.info = info
    self.requests = requests
    self.comparisons = comparisons
    self.options = options
    self.deadline = deadline
  }

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    try checkFacts()
    let origin = try ImageOrigin(info: info, requests: requests, draft: options.draft)
    guard origin.from == .embedded, Loader(type: info.type) != .rawPreview else {
      return try render(input, origin: origin)
    }
    var part: ThumbnailResult?
    do throws(MediaFailure) {
      let result = try render(input, origin: origin)
      if result.error == info.error { return result }
      part = result
    } catch {
      guard error.code == .corrupt || error.code == .truncated else { throw error }
    }
    // A damaged thumbnail says nothing about the image itself.
    var alone = info
    alone.embeddedThumbnail = nil
    do throws(MediaFailure) {
      return try render(input, origin: ImageOrigin(info: alone, requests: requests, draft: options.draft))
    } catch {
      guard let part else { throw error }
      return part
    }
  }

  /// Makes all renditions from an origin; a damaged one as far as possible.
  private func render(
    _ input: borrowing MediaInput, origin: ImageOrigin
  ) throws(MediaFailure) -> ThumbnailResult {
    // A preview can declare more pixels than the image that contains it.
    if let size = origin.displayed { try options.limits.check(pixels: size.pixelCount) }
    var origin = origin
    if origin.from == .image {
      origin.choice = ImageChoice(input, info: info, animationPixels: options.limits.animationPixels)
    }
    guard origin.loader.draws else { return try decode(input, origin: origin) }
    // Embedded images of an SVG are decoded and kept in full, as an animation is.
    let scale = try SVGScreen.check(
      input, pixels: options.limits.animationPixels, area: drawnArea(of: origin),
      canShrink: !requests.contains { $0.crop != nil })
    return try smaller(by: scale).decode(input, origin: origin)
  }

  private func decode(_ input: borrowing MediaInput, origin: ImageOrigin) throws(MediaFailure) -> ThumbnailResult {
    let source = try ImageSource(input, range: origin.range)
    let decodingDeadline = DecodingDeadline(deadline)
    var failure = info.error
    // A damaged file is decoded again as far as possible, and an animation at last by what its first image shows: half
    // an image with a reason is better than none.
    var attempts = failure == nil ? [(origin, isStrict: true), (origin, isStrict: false)] : [(origin, isStrict: false)]
    if info.type != .tiff, origin.choice.index > 0 || origin.choice.isInSequence {
      var first = origin
      first.choice.index = 0
      first.choice.isInSequence = false
      attempts.append((first, isStrict: false))
    }
    for (origin, isStrict) in attempts {
      do throws(MediaFailure) {
        return try renditions(
          source, input: input, origin: origin, strict: isStrict, failure: failure, decodingDeadline: decodingDeadline)
      } catch {
        let reason = decodingDeadline.reason(for: error)
        guard reason.code == .corrupt else { throw reason }
        failure = failure ?? reason
      }
    }
    throw failure ?? MediaFailure(.corrupt, "The image cannot be decoded.")
  }

  /// The same renderer with smaller boxes, as if the drawing had fewer pixels.
  private func smaller(by scale: Double) -> ImageRenderer {
    guard scale < 1 else { return self }
    let requests = requests.map { request in
      var request = request
      request.box = PixelSize(
        width: max(1, Int(Double(request.box.width) * scale)), height: max(1, Int(Double(request.box.height) * scale)))
      return request
    }
    return ImageRenderer(
      info: info, requests: requests, comparisons: comparisons, options: options, deadline: deadline)
  }

  /// The number of pixels at which a drawing is rendered, as far as its facts state a size.
  private func drawnArea(of origin: ImageOrigin) -> Int {
    let boxes = requests.map(\.box.pixelCount).max() ?? 1
    guard let displayed = origin.displayed else { return boxes }
    // A crop is taken from the drawing at its own size.
    if requests.contains(where: { $0.crop != nil }) { return max(boxes, displayed.pixelCount) }
    let scale = ScalePlan(requests: requests, displayed: displayed, orientation: origin.orientation).drawingScale
    let area = Double(displayed.width) * scale * Double(displayed.height) * scale
    return Int(min(area, Double(options.limits.pixels)))
  }

  /// Refuses an image over its limits, before decoding.
  private func checkFacts() throws(MediaFailure) {
    try info.checkReadable()
    for request in requests { try request.check(against: info.displaySize) }
    guard info.bytes <= options.limits.bytes else {
      let (size, limit) = HumanNumbers.sizes(info.bytes, limit: options.limits.bytes)
      throw MediaFailure(.tooLarge, "The file is \(size); the limit is \(limit).")
    }
    if let size = info.displaySize { try options.limits.check(pixels: size.pixelCount) }
  }

  /// Makes all renditions in the order of the requests, and the placeholder from the smallest.
  private func renditions(
    _ source: borrowing ImageSource, input: borrowing MediaInput, origin: ImageOrigin, strict: Bool,
    failure: MediaFailure?,
    decodingDeadline: DecodingDeadline
  ) throws(MediaFailure) -> ThumbnailResult {
    let requests = origin.requests(self.requests, of: info)
    var shortfall = failure
    var writer = RenditionWriter(
      requests: requests, from: origin.from, options: options, deadline: deadline, comparisons: comparisons)
    let batches = RenditionBatch.batches(of: requests, info: info, origin: origin, limits: options.limits)
    for batch in batches {
      try deadline.check()
      shortfall = shortfall ?? batch.shortfall
      let subset = batch.indices.map { requests[$0] }
      let base = try BaseImage(
        source, input: input, origin: origin, requests: subset, frames: batch.frames, strict: strict,
        limits: options.limits, deadline: decodingDeadline)
      try base.forEachRendition { (number, image) throws(MediaFailure) in
        try writer.write(image, for: batch.indices[number])
      }
    }
    try writer.compare()
    return writer.result(error: shortfall)
  }
}
