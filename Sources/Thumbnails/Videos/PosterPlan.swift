internal import MediaModel

/// How large a frame is made while its layout is converted. Pure.
struct PosterPlan {
  let requests: [RenditionRequest]

  /// Pixels for each of the largest rendition, along one side: what the last reduction, by Lanczos, needs.
  private static let spare = 2

  /// The size of the converted frame: a whole multiple of the largest rendition, so that its shape is exact; the frame's own where
  /// less would be left out than that or a part is cut out of it.
  func size(of square: PixelSize, orientation: Orientation) -> PixelSize {
    let displayed = orientation.displayed(square)
    let scale = requests.map { ScalePlan.scale(of: $0, displayed: displayed) }.max() ?? 1
    let hasCrop = requests.contains { $0.crop != nil }
    guard !hasCrop, scale * Double(Self.spare) < 1 else { return square }
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) * Self.spare }
    return PixelSize(width: side(square.width), height: side(square.height))
  }

  /// Whether every rendition has at most half the columns and rows of the video, so that nobody sees what the loop filters smooth.
  func isSmall(for displayed: PixelSize?) -> Bool {
    guard let displayed, displayed.isPositive else { return false }
    return requests.allSatisfy {
      $0.crop == nil && ScalePlan.scale(of: $0, displayed: displayed) * Double(Self.spare) <= 1
    }
  }
}
