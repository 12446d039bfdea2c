internal import MediaModel
internal import MediaProbe

/// Makes a storyboard in one pass over the key frames of a video.
struct StoryboardMaker {
  let info: MediaInfo
  /// Number of frames, 1…`Storyboard.maxFrames`.
  let frames: Int
  /// The box of each frame.
  let box: PixelSize
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// Maximum distance in seconds between a position and its key frame. If a seek in a file without an index leads
  /// further back, packets are read up to the position. Key frames are closer in nearly every video.
  private static let farthest = 12.0

  func make(_ input: borrowing MediaInput) throws(MediaFailure) -> Storyboard {
    try info.checkReadable()
    if let size = info.displaySize { try options.limits.check(pixels: size.pixelCount) }
    let request = RenditionRequest(name: "storyboard", box: box)
    try request.check(against: info.displaySize)
    let plan = PosterPlan(requests: [request])
    var video = try Video(input, info: info, options: options, fast: plan.isSmall(for: info.displaySize))
    let duration = video.facts.duration
    guard duration > 0, !video.facts.isCover else {
      throw MediaFailure(.unsupported, "The duration of the video is unknown, so no storyboard can be made.")
    }

    var strip = SpriteSheet(frames: frames, pixels: options.limits.animationPixels)
    for index in 0..<frames {
      try deadline.check()
      // The middle of the time range represents it.
      let second = duration * (Double(index) + 0.5) / Double(frames)
      do throws(MediaFailure) {
        if try video.decodeKeyFrame(at: second, farthest: Self.farthest) {
          video.keep()
          try strip.append(try tile(of: video, plan: plan, request: request))
          continue
        }
      } catch {
        guard error.code == .corrupt else { throw error }
      }
      // The same key frame represents two ranges, or this one cannot be decoded.
      strip.repeatLast()
    }
    let tiles = try strip.places().enumerated().map { index, place in
      Storyboard.Tile(
        place: place, start: duration * Double(index) / Double(frames),
        end: duration * Double(index + 1) / Double(frames))
    }
    let encoder = RenditionEncoder(request: request, from: .poster, isDraft: options.draft, deadline: deadline)
    return Storyboard(strip: try encoder.encode(try strip.image()), tiles: tiles)
  }

  private func tile(
    of video: borrowing Video, plan: PosterPlan, request: RenditionRequest
  ) throws(MediaFailure) -> Image {
    let facts = video.facts
    guard let square = info.displaySize.map(facts.orientation.displayed) ?? facts.square else {
      throw MediaFailure(.corrupt, "No frame of the video can be decoded.")
    }
    var image = try video.image(size: plan.size(of: square, orientation: facts.orientation))
    image.set(orientation: facts.orientation)
    return try image.resized(for: request).inMemory()
  }
}
