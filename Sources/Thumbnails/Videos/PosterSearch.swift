internal import MediaModel
internal import MediaProbe

/// Finds the frame of a video that stands for it, and keeps it in the video (docs/decisions/0009-which-frame-is-the-poster.md).
struct PosterSearch {
  let position: Thumbnailer.PosterPosition?
  let deadline: Deadline

  /// Parts of the length at which key frames are looked at, in this order. A tenth is past most intros, and the end is credits.
  static let places = [0.1, 0.25, 0.5, 0.33, 0.75]
  /// Frames that are looked at on the way on from the only key frame, when that shows nothing; and frames from one to the next.
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
    case nil: try best(of: facts.duration, in: &video)
    }
  }

  private func exact(_ second: Double, in video: inout Video) throws(MediaFailure) {
    try video.decodeFrame(at: second.isFinite ? max(0, second) : 0)
    video.keep()
  }

  /// The first good key frame, else the best of all that were looked at; of equals the earlier.
  private func best(of duration: Double, in video: inout Video) throws(MediaFailure) {
    var best = Candidates()
    do throws(MediaFailure) {
      // Without a length there is only the beginning.
      for place in duration > 0 ? Self.places : [0] where !best.isGood {
        if deadline.hasPassed, best.hasAny { break }
        try deadline.check()
        if try video.decodeKeyFrame(at: place * duration) { best.consider(&video) }
      }
    } catch {
      // What was found so far stands; a file whose index leads nowhere is read from its beginning.
      if !best.hasAny {
        guard error.code == .corrupt else { throw error }
        try video.decodeFirstFrame()
        best.consider(&video)
      }
    }
    guard best.isPoor, best.count == 1 else { return }
    do throws(MediaFailure) {
      // A single key frame, and that is black: a film that fades in. What follows it is decoded, a little way.
      try video.decodeFirstFrame()
      for _ in 0..<Self.steps where !best.isGood && !deadline.hasPassed {
        try video.decode(framesOn: Self.stride)
        best.consider(&video)
      }
    } catch {
      guard error.code == .corrupt else { throw error }
    }
  }

  private struct Candidates {
    var count = 0
    private var score = -1.0

    var hasAny: Bool { count > 0 }
    var isGood: Bool { score >= FrameLook.good }
    var isPoor: Bool { score <= FrameLook.poor }

    mutating func consider(_ video: inout Video) {
      count += 1
      let score = video.look.score
      guard score > self.score else { return }
      self.score = score
      video.keep()
    }
  }
}
