internal import MediaModel

extension TranscodeRequest {
  /// The sizes of H.263 that format and box allow, the largest first; empty if the box is smaller than all of them.
  func h263Sizes(upTo maximum: H263Size) -> [PixelSize] {
    H263Size.allCases.map(\.size)
      .filter { $0.pixelCount <= maximum.size.pixelCount && $0.fitsInEitherOrientation(into: box) }
      .sorted { $0.pixelCount > $1.pixelCount }
  }
}

extension PixelSize {
  /// Whether a frame of this size is inside a box or inside the turned box; true if there is none.
  func fitsInEitherOrientation(into box: PixelSize?) -> Bool {
    guard let box else { return true }
    return max(width, height) <= max(box.width, box.height) && min(width, height) <= min(box.width, box.height)
  }
}
