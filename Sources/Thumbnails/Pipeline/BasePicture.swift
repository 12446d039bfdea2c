internal import MediaModel
internal import MediaProbe

/// A decoded picture from which all renditions of one batch are made, the largest first.
struct BasePicture: ~Copyable {
  private var picture: Picture
  /// Pixels of the file for each pixel here, along one side.
  private var reduction: Double
  /// The size of the upright picture in the file.
  let displayed: PixelSize
  /// Whether the pixels are kept, and not made anew for each use.
  private let isKept: Bool
  /// Whether the crop that all requests share has been cut already.
  private let isCropped: Bool
  private let cutter: Cutter

  private init(picture: consuming Picture, opening: Opening, isKept: Bool, isCropped: Bool, cutter: Cutter) {
    self.picture = picture
    self.reduction = opening.reduction
    self.displayed = opening.displayed
    self.isKept = isKept
    self.isCropped = isCropped
    self.cutter = cutter
  }

  /// Opens the picture, reduced as far as the largest request allows; pixels are made here only when several requests need them.
  static func open(
    _ source: borrowing PictureSource, input: borrowing MediaInput, origin: PictureOrigin, requests: [RenditionRequest],
    frames: Int, strict: Bool,
    limits: MediaLimits, clock: DecodingClock
  ) throws(MediaFailure) -> BasePicture {
    let opening = try Opening(
      source, origin: origin, requests: requests, frames: frames, strict: strict, limits: limits)
    var picture = try opening.picture(source, input: input)
    clock.watch(picture)
    try limits.check(pixels: picture.size.pixelCount)
    picture.set(orientation: origin.orientation)
    if origin.isSRGB { picture.dropProfile() }

    let cutter = Cutter(origin: origin, reduction: opening.shrink)
    let crops = Set(requests.map { $0.crop ?? origin.trim })
    let common = crops.count == 1 ? crops.first ?? nil : nil
    if let common { picture = try cutter.cut(common, from: picture) }
    var base = BasePicture(
      picture: picture, opening: opening, isKept: requests.count > 1 && frames == 1 && crops.count == 1,
      isCropped: common != nil, cutter: cutter)
    if base.isKept {
      try base.reduce(forScale: opening.plan.largestScale)
    } else if requests.count > 1 {
      base.picture = try base.picture.inMemory()
    }
    return base
  }

  /// Averages the pixels as far as a rendition of that scale, and all smaller ones, can spare them, and keeps them.
  private mutating func reduce(forScale scale: Double, always: Bool = true) throws(MediaFailure) {
    let factor = ScalePlan.averagingFactor(forScale: scale, reduction: reduction)
    if factor > 1 {
      picture = try picture.shrunk(by: factor).inMemory()
      reduction *= Double(factor)
    } else if always {
      picture = try picture.inMemory()
    }
  }

  /// The pixels of one rendition: cropped, upright, resized, 8-bit. Ask for the largest first.
  mutating func picture(for request: RenditionRequest, origin: PictureOrigin) throws(MediaFailure) -> Picture {
    if isKept { try reduce(forScale: ScalePlan.scale(of: request, displayed: displayed), always: false) }
    guard !isCropped, let crop = request.crop ?? origin.trim else {
      return try picture.resized(for: request).inMemory()
    }
    return try cutter.cut(crop, from: picture).resized(for: request).inMemory()
  }
}

/// Cuts rectangles that are given in pixels of the upright picture out of reduced pixels that are not yet upright.
private struct Cutter {
  let origin: PictureOrigin
  /// Pixels of the file for each pixel at hand, along one side.
  let reduction: Int

  func cut(_ crop: PixelRect, from picture: borrowing Picture) throws(MediaFailure) -> Picture {
    let stored =
      origin.displayed.map(origin.orientation.displayed)
      ?? PixelSize(width: picture.width * reduction, height: picture.height * reduction)
    let rect = origin.orientation.storedRect(crop, in: stored)
    // Exact: the plan reduces only by what divides every side of every crop.
    let reduced = PixelRect(
      x: rect.x / reduction, y: rect.y / reduction, width: rect.width / reduction, height: rect.height / reduction)
    guard reduced.lies(inside: picture.size) else {
      throw MediaFailure(.invalidRequest, "The crop does not lie inside the picture.")
    }
    return try picture.cropped(to: reduced)
  }
}
