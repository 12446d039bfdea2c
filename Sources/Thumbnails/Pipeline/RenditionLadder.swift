internal import MediaModel

/// Which renditions are made of the decoded image, and which of one of those. Pure.
///
/// A reduction by Lanczos of an image that has been reduced by Lanczos already is as good as one of the whole image (44 dB
/// between the two and more), as long as there are two pixels for each that is left; and it has ten times less to read.
struct RenditionLadder: Equatable {
  /// A rendition of the decoded image, and the smaller ones that are made of it.
  struct Step: Equatable {
    /// Where its request stands among the requests.
    let root: Int
    /// Where the requests of the smaller ones stand.
    var smaller: [Int] = []
  }

  /// The larger before the smaller.
  private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - displayed: The size of the upright image.
  ///   - isPlain: Whether it is a still without transparency: of these alone the 8-bit pixels of a rendition hold all that a
  ///     smaller one shows.
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

  /// Pixels of the larger for each of the smaller, along one side: what Lanczos needs, as libvips itself has it.
  private static let spare = 2.0
  /// Rounding to whole pixels changes the shape of anything thinner too much.
  private static let thinnest = 64

  /// Whether a rendition shows all that another one shows, in the same colours and the same shape.
  private static func holds(_ larger: RenditionRequest, _ smaller: RenditionRequest, displayed: PixelSize) -> Bool {
    guard larger.fit == .contain, larger.crop == smaller.crop, larger.colorSpace == .srgb, smaller.colorSpace == .srgb
    else { return false }
    let source = larger.crop?.size ?? displayed
    let scale = ScalePlan.scale(of: larger, displayed: displayed)
    // Of an enlarged image a smaller one would be made that is enlarged as well.
    guard scale <= 1 else { return false }
    return Double(min(source.width, source.height)) * scale >= Double(thinnest)
  }
}
