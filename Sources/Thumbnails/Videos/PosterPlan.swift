internal import MediaModel

/// The size to which a frame is scaled during pixel format conversion. Pure.
struct PosterPlan {
  let requests: [RenditionRequest]

  /// Source pixels per pixel of the largest rendition along one side: what the final Lanczos reduction needs.
  private static let spare = 2

  /// The size of the converted frame: an integral multiple of the largest rendition, so that the aspect ratio is exact.
  /// The frame's own size is used if the reduction would be smaller than that, or for a crop.
  func size(of square: PixelSize, orientation: MediaInfo.Orientation) -> PixelSize {
    let displayed = orientation.displayed(square)
    let scale = requests.map { ScalePlan.scale(of: $0, displayed: displayed) }.max() ?? 1
    let hasCrop = requests.contains { $0.crop != nil }
    guard !hasCrop, scale * Double(Self.spare) < 1 else { return square }
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) * Self.spare }
    return PixelSize(width: side(square.width), height: side(square.height))
  }

  /// Whether every rendition has at most half the width and height of the video, so that loop filters make no visible
  /// difference.
  func isSmall(for displayed: PixelSize?) -> Bool {
    guard let displayed, displayed.isPositive else { return false }
    return requests.allSatisfy {
      $0.crop == nil && ScalePlan.scale(of: $0, displayed: displayed) * Double(Self.spare) <= 1
    }
  }
}
