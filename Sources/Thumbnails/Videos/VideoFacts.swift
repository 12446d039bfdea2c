internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// What an open video says of its images.
struct VideoFacts {
  /// The frame with square pixels, not yet turned; nil when neither header nor frame says.
  let square: PixelSize?
  /// How it has to be turned.
  let orientation: Orientation
  /// Whether the only images are the cover's.
  let isCover: Bool
  /// Seconds; 0 for unknown.
  let duration: Double
  /// Seconds of it that lie in the file, which may have been cut short; 0 for unknown.
  let reach: Double
  /// Whether the kept frame can be seen through in places.
  let hasAlpha: Bool

  init(_ facts: mediatool_video_facts) {
    let size = PixelSize(width: Int(facts.width), height: Int(facts.height))
    square = size.isPositive ? size : nil
    isCover = facts.is_cover
    duration = facts.duration.isFinite ? max(0, facts.duration) : 0
    reach = facts.reach.isFinite ? min(max(0, facts.reach), duration) : duration
    hasAlpha = facts.has_alpha
    let matrix = withUnsafeBytes(of: facts.matrix) { Array($0.bindMemory(to: Int32.self)) }
    orientation = (facts.has_matrix ? DisplayMatrix(matrix)?.orientation : nil) ?? .up
  }
}
