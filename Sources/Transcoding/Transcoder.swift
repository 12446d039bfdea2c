internal import CMediaShims
public import MediaModel
public import MediaProbe

/// How does it fit? Writes a video or an audio file anew, in at most so many bytes: upright, without metadata, in a class that old receivers know.
///
/// Blocking: call it from a thread of your own, not from the cooperative pool. One processor, so that the same file gives the same bytes. A
/// value of this type may be used from many threads at once.
public struct Transcoder: Sendable {
  /// A transcoder.
  public init() {}

  /// The file written anew.
  ///
  /// What is in the class already and small enough is moved into a new container as it is. Anything else is encoded with the best quality that
  /// fits, which takes a few tries: their number is in the result. A video is made smaller and slower before it is made ugly, and refused before
  /// it is made unwatchable: below 4 KiB a second (what Android's own composer allows) it would not fit.
  ///
  /// Never fails: what went wrong stands in `TranscodeResult.error`: `wouldNotFit`, `unsupported` for what has no images or no audio, what cannot
  /// be decoded, and what this machine has no encoder for; `timedOut` past `MediaLimits.transcodeSeconds` when nothing was ready by
  /// then; `tooManyPixels`; `invalidRequest`.
  /// - Parameters:
  ///   - input: The file.
  ///   - info: Its facts, as `MediaProber` found them in the same bytes.
  ///   - request: What it becomes.
  ///   - progress: Told on this thread how far it has come: of each encoding every hundredth, or every second of a file whose length is not
  ///     known. Default: nobody.
  public func transcode(
    _ input: borrowing MediaInput, info: MediaInfo, _ request: TranscodeRequest,
    progress: @escaping (TranscodeProgress) -> Void = { _ in }
  ) -> TranscodeResult {
    let before = input.bytesRead
    input.set(deadline: .after(seconds: request.limits.transcodeSeconds))
    var result = TranscodeResult()
    let report = ProgressReport(tell: progress)
    do throws(MediaFailure) {
      try request.check()
      if let error = info.error, ![.truncated, .corrupt].contains(error.code) { throw error }
      if request.format.hasImages {
        try VideoTranscoder(info: info, request: request, progress: report).fit(input, &result)
      } else {
        try AudioTranscoder(info: info, request: request, progress: report).fit(input, &result)
      }
    } catch {
      result.file = nil
      result.error = error
      if error.code != .wouldNotFit { result.fittingDuration = nil }
    }
    input.clearDeadline()
    result.bytesRead = input.bytesRead - before
    return result
  }

  /// Whether this machine can write AMR: libopencore-amrnb is installed. Looks for it once; in a worker before it locks itself in.
  package static var writesAMR: Bool { mediatool_can_encode(MEDIATOOL_CODING_AMR) }
}

extension TranscodeRequest {
  /// Refuses what nobody can mean.
  func check() throws(MediaFailure) {
    func fail(_ text: String) throws(MediaFailure) { throw MediaFailure(.invalidRequest, text) }
    guard (1...Self.maxBytesLimit).contains(maxBytes) else {
      return try fail("A file has 1 to \(Self.maxBytesLimit) bytes.")
    }
    guard maxFrameRate >= 1, maxFrameRate <= 1_000 else { return try fail("A video has 1 to 1,000 frames a second.") }
    guard maxDuration.map({ $0 > 0 }) ?? true else { return try fail("A duration is more than nothing.") }
    guard box.map({ $0.width >= 16 && $0.height >= 16 }) ?? true else { return try fail("A box has 16 pixels a side.") }
  }
}
