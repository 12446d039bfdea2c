internal import MediaModel

/// Cuts rectangles that are given in pixels of the upright image out of reduced pixels that are not yet upright.
struct Cropper {
  /// The size of the upright image in the file; nil when the facts do not say.
  let displayed: PixelSize?
  /// How the pixels at hand have to be turned.
  let orientation: Orientation
  /// Pixels of the file for each pixel at hand, along one side.
  let reduction: Int

  func crop(_ crop: PixelRect, from image: borrowing Image) throws(MediaFailure) -> Image {
    let stored =
      displayed.map(orientation.displayed)
      ?? PixelSize(width: image.width * reduction, height: image.height * reduction)
    let rect = orientation.storedRect(crop, in: stored)
    // Exact: the plan reduces only by what divides every side of every crop.
    let reduced = PixelRect(
      x: rect.x / reduction, y: rect.y / reduction, width: rect.width / reduction, height: rect.height / reduction)
    guard reduced.lies(inside: image.size) else {
      throw MediaFailure(.invalidRequest, "The crop does not lie inside the image.")
    }
    return try image.cropped(to: reduced)
  }
}
