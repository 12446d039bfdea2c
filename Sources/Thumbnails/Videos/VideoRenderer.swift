internal import MediaModel
internal import MediaProbe

/// Renders one video: facts → key frames → the best of them → renditions.
struct VideoRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// The fraction of the time that is reserved for scaling and encoding.
  private static let encodingShare = 0.1

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    // A damaged video is rendered as far as possible, and the result states the damage.
    try info.checkReadable()
    if let size = info.displaySize { try options.limits.check(pixels: size.pixelCount) }
    do throws(MediaFailure) {
      return try poster(input)
    } catch {
      guard error.code == .corrupt else { throw error }
      throw info.error ?? error
    }
  }

  private func poster(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    let plan = PosterPlan(requests: requests)
    var video = try Video(input, info: info, options: options, fast: plan.isSmall(for: info.displaySize))
    // The best frame until then is rendered in the remaining time.
    let search = deadline.leaving(Self.encodingShare)
    input.set(deadline: search)
    try PosterSearch(position: options.posterPosition, deadline: search).find(in: &video)
    input.set(deadline: deadline)
    let facts = video.facts
    let orientation = facts.orientation
    // The displayed size from the facts decides, because layouts rely on it. A cover has its own size.
    let stated = facts.isCover ? nil : info.displaySize.map(orientation.displayed)
    guard let square = stated ?? facts.square else {
      throw MediaFailure(.corrupt, "No frame of the video can be decoded.")
    }
    try options.limits.check(pixels: square.pixelCount)
    // Scaling without premultiplied alpha would let invisible colors bleed into the edges.
    let isSeenThrough = facts.hasAlpha && square.pixelCount <= options.limits.animationPixels
    let size = isSeenThrough ? square : plan.size(of: square, orientation: orientation)
    let image = try video.image(size: size)
    var result = try RenditionWriter.result(
      of: image, orientation: orientation, from: facts.isCover ? .cover : .poster, requests: requests,
      options: options,
      deadline: deadline)
    result.posterTime = facts.isCover ? nil : video.keptTime
    result.framesDecoded = video.framesDecoded
    result.error = result.error ?? info.error
    return result
  }
}
