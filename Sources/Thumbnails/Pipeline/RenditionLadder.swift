internal import MediaModel

/// Which renditions are made from the decoded image, and which from a larger rendition. Pure.
///
/// A Lanczos reduction of a Lanczos-reduced image equals one of the original closely (44 dB or more between the two).
/// This holds as long as there are two source pixels per target pixel. It reads ten times less.
struct RenditionLadder: Equatable {
  /// A rendition of the decoded image, and the smaller ones that are made from it.
  struct Step: Equatable {
    /// Index of its request.
    let root: Int
    /// Indices of the requests for the smaller ones.
    var smaller: [Int] = []
  }

  /// The steps; larger renditions precede smaller ones.
  private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - displayed: The size of the upright image.
  ///   - isPlain: Whether it is a still without transparency. Only then do the 8-bit pixels of a rendition contain
  ///     everything that a smaller one needs.
  init(requests: [RenditionRequest], displayed: PixelSize, isPlain: Bool) {
    let scales = requests.map { ScalePlan.scale(of: $0, displayed: displayed) }
    let order = requests.indices.sorted { (scales[$0], $1) > (scales[$1], $0) }
    for index in order {
      let parent = steps.firstIndex { step in
        isPlain && scales[step.root] >= Self.spare * scales[index]
          && Self.holds(requests[step.root], requests[index], displayed: displayed)
      }
      if let parent {
        steps[parent].smaller.append(index)
      } else {
        steps.append(Step(root: index))
      }
    }
  }

  /// Source pixels per target pixel along one side that Lanczos needs, as in libvips itself.
  private static let spare = 2.0
  /// In a thinner image, rounding to whole pixels changes the aspect ratio too much.
  private static let thinnest = 64

  /// Whether one rendition shows everything that another shows, in the same colors and aspect ratio.
  private static func holds(_ larger: RenditionRequest, _ smaller: RenditionRequest, displayed: PixelSize) -> Bool {
    guard larger.fit == .contain, larger.crop == smaller.crop, larger.colorSpace == .srgb, smaller.colorSpace == .srgb
    else { return false }
    let source = larger.crop?.size ?? displayed
    let scale = ScalePlan.scale(of: larger, displayed: displayed)
    // A smaller rendition of an enlarged image would be enlarged as well.
    guard scale <= 1 else { return false }
    return Double(min(source.width, source.height)) * scale >= Double(thinnest)
  }
}
