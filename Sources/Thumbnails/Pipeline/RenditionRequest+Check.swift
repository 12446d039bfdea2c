internal import MediaModel

extension RenditionRequest {
  /// Throws if no image, or not this image, can satisfy the request.
  func check(against displayed: PixelSize?) throws(MediaFailure) {
    try checkBox()
    guard let crop else { return }
    guard let displayed, crop.lies(inside: displayed) else {
      throw MediaFailure(.invalidRequest, "The crop does not lie inside the image.")
    }
  }

  /// Throws if no image can satisfy the request.
  func checkBox() throws(MediaFailure) {
    let sides = 1...Self.longestSide
    guard sides.contains(box.width), sides.contains(box.height) else {
      throw MediaFailure(
        .invalidRequest, "A rendition has 1 to \(Self.longestSide) pixels a side, not \(box.width)x\(box.height).")
    }
    if let box = comparedIn, !sides.contains(box.width) || !sides.contains(box.height) {
      throw MediaFailure(.invalidRequest, "A box to compare in has 1 to \(Self.longestSide) pixels a side.")
    }
    if case .quality(let quality?) = encoding, !(1...100).contains(quality) {
      throw MediaFailure(.invalidRequest, "A quality lies between 1 and 100.")
    }
  }
}
