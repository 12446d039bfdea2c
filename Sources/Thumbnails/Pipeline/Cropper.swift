internal import MediaModel

/// Cuts rectangles that are given in pixels of the upright picture out of reduced pixels that are not yet upright.
struct Cropper {
  let origin: PictureOrigin
  /// Pixels of the file for each pixel at hand, along one side.
  let reduction: Int

  func crop(_ crop: PixelRect, from picture: borrowing Picture) throws(MediaFailure) -> Picture {
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
