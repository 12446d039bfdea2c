internal import MediaModel
internal import MediaProbe

/// The way of one video: facts → key frames → the best of them → renditions.
struct VideoRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// The part of the time that is kept for scaling and encoding.
  private static let encodingShare = 0.1

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    // What there is of a damaged video is shown, and the result says what is wrong with it.
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
    // What was found until then is made into images in the time that remains.
    let search = deadline.leaving(Self.encodingShare)
    input.set(deadline: search)
    try PosterSearch(position: options.posterPosition, deadline: search).find(in: &video)
    input.set(deadline: deadline)
    let facts = video.facts
    let orientation = facts.orientation
    // The facts of the file have the last word, for it is by them that a place was kept for the image; a cover has its own size.
    let stated = facts.isCover ? nil : info.displaySize.map(orientation.displayed)
    guard let square = stated ?? facts.square else {
      throw MediaFailure(.corrupt, "No frame of the video can be decoded.")
    }
    try options.limits.check(pixels: square.pixelCount)
    // Scaled before it is weighed by its alpha, the edge of an image takes on the colour of what cannot be seen.
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
