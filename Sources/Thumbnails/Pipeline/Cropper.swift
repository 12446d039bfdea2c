internal import MediaModel

/// Crops reduced pixels that are not yet upright; crops are given in pixels of the upright image.
struct Cropper {
  /// The size of the upright image in the file; nil if unknown.
  let displayed: PixelSize?
  /// The orientation that must still be applied to the pixels.
  let orientation: MediaInfo.Orientation
  /// Reduction factor of the pixels along one side.
  let reduction: Int

  func crop(_ crop: PixelRect, from image: borrowing Image) throws(MediaFailure) -> Image {
    let stored =
      displayed.map(orientation.displayed)
      ?? PixelSize(width: image.width * reduction, height: image.height * reduction)
    let rect = orientation.storedRect(crop, in: stored)
    // Exact, because the plan only uses reductions that divide every side of every crop.
    let reduced = PixelRect(
      x: rect.x / reduction, y: rect.y / reduction, width: rect.width / reduction, height: rect.height / reduction)
    guard reduced.lies(inside: image.size) else {
      throw MediaFailure(
        .invalidRequest,
        "The crop (\(crop.x),\(crop.y),\(crop.width),\(crop.height)) is not inside the image (\(HumanNumbers.dimensions(stored.width, stored.height)))."
      )
    }
    return try image.cropped(to: reduced)
  }
}
