internal import MediaModel
internal import MediaProbe

/// A decoded picture from which all renditions of one batch are made.
struct BasePicture: ~Copyable {
  /// Beyond so many pixels (144 MiB of RGB) a picture is averaged down before it is kept for several renditions.
  private static let keptPixels = 50_331_648

  private let picture: Picture
  /// Whether the crop that all requests share has been cut already.
  private let isCropped: Bool
  private let cutter: Cutter

  private init(picture: consuming Picture, isCropped: Bool, cutter: Cutter) {
    self.picture = picture
    self.isCropped = isCropped
    self.cutter = cutter
  }

  /// Opens the picture, reduced as far as the largest request allows; pixels are made here only when several requests need them.
  static func open(
    _ source: borrowing PictureSource, input: borrowing MediaInput, origin: PictureOrigin,
    requests: [RenditionRequest], frames: Int, strict: Bool, limits: MediaLimits, clock: DecodingClock
  ) throws(MediaFailure) -> BasePicture {
    let opening = try Opening(
      source, origin: origin, requests: requests, frames: frames, strict: strict, limits: limits)
    var picture = try clock.guarded(opening.picture(source, input: input))
    try limits.check(pixels: picture.size.pixelCount)
    // The loader has the last word: the facts may have counted otherwise.
    if picture.frames > 1 { try limits.check(animationPixels: picture.size.pixelCount, frames: picture.frames) }
    picture.set(orientation: origin.orientation)
    if origin.isSRGB { picture.dropProfile() }

    let cutter = Cutter(origin: origin, reduction: opening.shrink)
    let crops = Set(requests.map { $0.crop ?? origin.trim })
    let common = crops.count == 1 ? crops.first ?? nil : nil
    if let common { picture = try cutter.cut(common, from: picture) }
    let highRange = opening.keepsSignals ? origin.highRange : nil
    let isTooLarge = requests.count > 1 && picture.size.pixelCount > keptPixels
    if isTooLarge || highRange != nil, crops.count == 1, frames == 1 {
      let scale = opening.plan.largestScale
      let factor = ScalePlan.averagingFactor(forScale: scale, reduction: opening.reduction)
      if factor > 1 { picture = try picture.shrunk(by: factor) }
    }
    // After the first reduction, which leaves fewer pixels to map, and before the last one, which leaves 8 bits.
    if let highRange { picture = try picture.toneMapped(highRange) }
    if requests.count > 1 { picture = try picture.inMemory() }
    return BasePicture(picture: picture, isCropped: common != nil, cutter: cutter)
  }

  /// The pixels of one rendition: cropped, upright, resized, 8-bit.
  borrowing func picture(for request: RenditionRequest, origin: PictureOrigin) throws(MediaFailure) -> Picture {
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
