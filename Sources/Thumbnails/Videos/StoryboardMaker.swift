internal import CMediaShims
internal import CVips
internal import MediaModel
internal import MediaProbe

/// Makes a storyboard in one pass over the key frames of a video.
struct StoryboardMaker {
  let info: MediaInfo
  /// Frames that are asked for, 1…`Storyboard.mostFrames`.
  let frames: Int
  /// The box of each of them.
  let box: PixelSize
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// The largest side of a WebP.
  private static let longest = 16_383

  func make(_ input: borrowing MediaInput) throws(MediaFailure) -> Storyboard {
    if let error = info.error, error.code != .truncated, error.code != .corrupt { throw error }
    if let size = info.displaySize { try options.limits.check(pixels: size.pixelCount) }
    let request = RenditionRequest(name: "storyboard", box: box)
    try request.check(against: info.displaySize)
    let plan = PosterPlan(requests: [request])
    var video = try Video(input, info: info, options: options, fast: plan.isSmall(for: info.displaySize))
    let duration = video.facts.duration
    guard duration > 0, !video.facts.isCover else {
      throw MediaFailure(.unsupported, "A storyboard needs a video whose length is known.")
    }

    var strip = Strip()
    for index in 0..<frames {
      try deadline.check()
      // The middle of its share stands for it.
      let second = duration * (Double(index) + 0.5) / Double(frames)
      do throws(MediaFailure) {
        if try video.decodeKeyFrame(at: second) {
          video.keep()
          try strip.append(try tile(of: video, plan: plan, request: request))
          continue
        }
      } catch {
        guard error.code == .corrupt else { throw error }
      }
      // The same key frame stands for two shares, or this one cannot be decoded.
      strip.repeatLast()
    }
    return try storyboard(strip, duration: duration, request: request)
  }

  private func tile(
    of video: borrowing Video, plan: PosterPlan, request: RenditionRequest
  ) throws(MediaFailure) -> Picture {
    let facts = video.facts
    guard let square = info.displaySize.map(facts.orientation.displayed) ?? facts.square else {
      throw MediaFailure(.corrupt, "No frame of the video can be decoded.")
    }
    var picture = try video.picture(size: plan.size(of: square, orientation: facts.orientation))
    picture.set(orientation: facts.orientation)
    return try picture.resized(for: request).inMemory()
  }

  private func storyboard(
    _ strip: borrowing Strip, duration: Double, request: RenditionRequest
  ) throws(MediaFailure) -> Storyboard {
    guard let size = strip.size, strip.count == frames else {
      throw MediaFailure(.corrupt, "No frame of the video can be decoded.")
    }
    let columns = min(frames, Self.longest / size.width)
    let rows = (frames + columns - 1) / columns
    guard rows * size.height <= Self.longest else {
      throw MediaFailure(.invalidRequest, "So many frames of that size do not fit into one picture.")
    }
    let places = (0..<frames).map { index in
      PixelRect(
        x: index % columns * size.width, y: index / columns * size.height, width: size.width, height: size.height)
    }
    let picture = try strip.joined(places, size: PixelSize(width: columns * size.width, height: rows * size.height))
    let encoder = RenditionEncoder(request: request, from: .poster, isDraft: options.draft, deadline: deadline)
    let tiles = places.enumerated().map { index, place in
      Storyboard.Tile(
        place: place, start: duration * Double(index) / Double(frames),
        end: duration * Double(index + 1) / Double(frames))
    }
    return Storyboard(strip: try encoder.encode(picture), tiles: tiles)
  }
}

/// The tiles so far, as RGBA.
private struct Strip: ~Copyable {
  private var tiles: [[UInt8]] = []
  /// Which tile stands at each place; places before the first tile take that one.
  private var order: [Int] = []
  private(set) var size: PixelSize?

  var count: Int { tiles.isEmpty ? 0 : order.count }

  mutating func append(_ picture: borrowing Picture) throws(MediaFailure) {
    // A film whose frames change their size keeps the shape of the first.
    guard size == nil || size == picture.size else { return repeatLast() }
    size = picture.size
    tiles.append(try picture.rgba(convertingProfile: false))
    order.append(tiles.count - 1)
  }

  mutating func repeatLast() { order.append(max(0, tiles.count - 1)) }

  borrowing func joined(_ places: [PixelRect], size: PixelSize) throws(MediaFailure) -> Picture {
    guard let pixels = g_try_malloc0(UInt(size.pixelCount) * 4) else {
      throw MediaFailure(.outOfMemory, "There is not enough memory.")
    }
    for (index, place) in places.enumerated() {
      let tile = tiles[order[index]]
      tile.withUnsafeBytes { bytes in
        for row in 0..<place.height {
          let source = UnsafeRawBufferPointer(rebasing: bytes[(row * place.width * 4)..<((row + 1) * place.width * 4)])
          let offset = ((place.y + row) * size.width + place.x) * 4
          UnsafeMutableRawBufferPointer(start: pixels + offset, count: source.count).copyMemory(from: source)
        }
      }
    }
    return try Picture.make {
      mediatool_vips_from_rgba(pixels, CInt(size.width), CInt(size.height), CInt(size.height), nil, $0, $1)
    }
  }
}
