internal import MediaModel
internal import MediaProbe

/// Selects the poster frame of a video and keeps it in the decoder (docs/decisions/0009).
struct PosterSearch {
  let position: ThumbnailOptions.PosterPosition?
  let deadline: Deadline

  /// Positions of the key frames to examine, as fractions of the duration, in this order. A tenth is past most intros,
  /// and the end has credits.
  static let places = [0.1, 0.25, 0.5, 0.33, 0.75]
  /// Additional positions if some of those cannot be reached: a truncated file still has its beginning.
  static let nearLocations = [0.17, 0.05, 0.02]
  /// Positions from which a video without intact key frames is decoded onwards.
  static let wholePlaces = 2
  /// Number of frames to examine after a useless only key frame; and the distance between them in frames.
  static let steps = 12
  static let stride = 8

  func find(in video: inout Video) throws(MediaFailure) {
    let facts = video.facts
    if facts.isCover {
      _ = try video.decodeKeyFrame(at: 0)
      return video.keep()
    }
    switch position {
    case .seconds(let second): try exact(second, in: &video)
    case .fraction(let part): try exact(part * facts.duration, in: &video)
    case nil: try best(of: facts.reach, in: &video)
    }
  }

  private func exact(_ second: Double, in video: inout Video) throws(MediaFailure) {
    try video.decodeFrame(at: second.isFinite ? max(0, second) : 0)
    video.keep()
  }

  /// Selects the first good key frame, or else the best examined one; among equals the earlier.
  private func best(of length: Double, in video: inout Video) throws(MediaFailure) {
    var best = Candidates()
    // Without a duration there is only the beginning.
    let seconds = length > 0 ? Self.places.map { $0 * length } : [0]
    let isWhole = try consider(keyFramesAt: seconds, of: &video, for: &best)
    if !isWhole, length > 0 {
      _ = try consider(keyFramesAt: Self.nearLocations.map { $0 * length }, of: &video, for: &best)
    }
    if !best.hasAny {
      // The index is unusable: read the file from its beginning.
      try video.decodeFirstFrame()
      best.consider(&video)
    }
    do throws(MediaFailure) {
      if best.lacksWholeFrames { try considerWholeFrames(at: seconds.prefix(Self.wholePlaces), of: &video, for: &best) }
      if best.isPoor, best.count == 1 { try considerWhatFollows(in: &video, for: &best) }
    } catch {
      // Keep the frame that was found before.
    }
  }

  /// Examines key frames until one is good. Returns whether all positions could be reached.
  private func consider(
    keyFramesAt seconds: [Double], of video: inout Video, for best: inout Candidates
  ) throws(MediaFailure) -> Bool {
    var isWhole = true
    for second in seconds where !best.isGood {
      do throws(MediaFailure) {
        try deadline.check()
        if try video.decodeKeyFrame(at: second) { best.consider(&video) }
      } catch {
        isWhole = false
        if error.code == .corrupt { continue }
        guard best.hasAny else { throw error }
        break
      }
    }
    return isWhole
  }

  /// Decodes until an intact frame, if every key frame is damaged or the video has none that is intact.
  private func considerWholeFrames(
    at seconds: some Sequence<Double>, of video: inout Video, for best: inout Candidates
  ) throws(MediaFailure) {
    for second in seconds where !best.isGood {
      try deadline.check()
      try video.decodeUndamagedFrame(at: second)
      best.consider(&video)
    }
  }

  /// Decodes a little further after an only key frame that is black: the video fades in.
  private func considerWhatFollows(in video: inout Video, for best: inout Candidates) throws(MediaFailure) {
    try video.decodeFirstFrame()
    for _ in 0..<Self.steps where !best.isGood {
      try deadline.check()
      try video.decode(framesOn: Self.stride)
      best.consider(&video)
    }
  }

  private struct Candidates {
    var count = 0
    private var score = -1.0

    var hasAny: Bool { count > 0 }
    var isGood: Bool { score >= FrameAnalysis.good }
    var isPoor: Bool { score <= FrameAnalysis.poor }
    /// Whether a frame was damaged and none is good.
    var lacksWholeFrames: Bool { !isGood && hasDamaged }
    private var hasDamaged = false

    mutating func consider(_ video: inout Video) {
      count += 1
      let analysis = video.analysis
      hasDamaged = hasDamaged || analysis.isDamaged
      guard analysis.score > score else { return }
      score = analysis.score
      video.keep()
    }
  }
}
