internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// The facts of the video stream.
struct VideoFacts {
  /// The frame size with square pixels, before rotation; nil if neither header nor frame states it.
  let square: PixelSize?
  /// The orientation to apply.
  let orientation: MediaInfo.Orientation
  /// Whether the only images are covers.
  let isCover: Bool
  /// Duration in seconds; 0 if unknown.
  let duration: Double
  /// Duration in seconds of the part that is in the file, which may be truncated; 0 if unknown.
  let reach: Double
  /// Whether the kept frame has transparent parts.
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
