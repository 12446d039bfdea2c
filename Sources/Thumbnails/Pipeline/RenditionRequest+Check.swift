internal import MediaModel

extension RenditionRequest {
  /// Throws if no image, or not this image, can satisfy the request.
  func check(against displayed: PixelSize?) throws(MediaFailure) {
    try checkBox()
    guard let crop else { return }
    guard let displayed, crop.lies(inside: displayed) else {
      throw MediaFailure(
        .invalidRequest,
        "The crop (\(crop.x),\(crop.y),\(crop.width),\(crop.height)) is not inside the image"
          + (displayed.map { " (\(HumanNumbers.dimensions($0.width, $0.height)))." } ?? "."))
    }
  }

  /// Throws if no image can satisfy the request.
  func checkBox() throws(MediaFailure) {
    let sides = 1...Self.longestSide
    guard sides.contains(box.width), sides.contains(box.height) else {
      throw MediaFailure(
        .invalidRequest,
        "The rendition size \(box.width)x\(box.height) is invalid; each side must be from 1 to \(Self.longestSide) pixels."
      )
    }
    if let box = comparedIn, !sides.contains(box.width) || !sides.contains(box.height) {
      throw MediaFailure(
        .invalidRequest,
        "The comparison size \(box.width)x\(box.height) is invalid; each side must be from 1 to \(Self.longestSide) pixels."
      )
    }
    if case .quality(let quality?) = encoding, !(1...100).contains(quality) {
      throw MediaFailure(.invalidRequest, "The quality \(quality) is invalid; it must be from 1 to 100.")
    }
  }
}
