internal import CMediaShims
public import MediaModel
public import MediaProbe

/// Transcodes a video or an audio file to a size limit, upright and without metadata, in a format for old receivers.
///
/// Blocking: call it from your own thread, not from the cooperative pool. It uses one processor, so that the same file
/// gives the same bytes. One value may be used from many threads concurrently.
public struct Transcoder: Sendable {
  /// Creates a transcoder.
  public init() {}

  /// Transcodes an open file.
  ///
  /// A stream that conforms to the format and is small enough is copied into a new container. Otherwise it is encoded
  /// several times to find the best quality that fits; the result has the number of passes. Frame size and frame rate
  /// are reduced before the quality becomes poor. Below 4 KiB per second (the minimum of Android's own composer) the
  /// result is `wouldNotFit` rather than an unwatchable video.
  ///
  /// Never throws: errors are in `TranscodeResult.error`. `wouldNotFit`; `unsupported` for a file without video or
  /// audio, one that cannot be decoded, and a format without an encoder on this machine; `timedOut` after
  /// `MediaLimits.transcodeSeconds` if nothing was ready by then; `tooManyPixels`; `invalidRequest`.
  ///
  /// - Parameters:
  ///   - input: The file.
  ///   - info: The facts that `MediaProber` found in the same bytes.
  ///   - request: The output format and limits.
  ///   - progress: Called on this thread for every hundredth of each pass, or for every second if the duration is
  ///     unknown. Does nothing by default.
  public func transcode(
    _ input: borrowing MediaInput, info: MediaInfo, _ request: TranscodeRequest,
    progress: @escaping (TranscodeProgress) -> Void = { _ in }
  ) -> TranscodeResult {
    let before = input.bytesRead
    input.set(deadline: .after(seconds: request.limits.transcodeSeconds))
    var result = TranscodeResult()
    let report = ProgressReport(send: progress)
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

  /// Whether this machine can encode AMR: libopencore-amrnb is installed. Looks for it once; a worker must call it
  /// before it enters its sandbox.
  package static var writesAMR: Bool { mediatool_can_encode(MEDIATOOL_CODING_AMR) }
}

extension TranscodeRequest {
  /// Throws for an invalid request.
  func check() throws(MediaFailure) {
    func fail(_ text: String) throws(MediaFailure) { throw MediaFailure(.invalidRequest, text) }
    guard (1...Self.maxBytesLimit).contains(maxBytes) else {
      return try fail(
        "The limit of \(maxBytes.grouped) bytes is invalid; it must be from 1 B to \(HumanNumbers.limit(Self.maxBytesLimit))."
      )
    }
    guard maxFrameRate >= 1, maxFrameRate <= 1_000 else {
      return try fail("The limit of \(maxFrameRate) frames per second is invalid; it must be from 1 to 1,000.")
    }
    if let maxDuration, !(maxDuration > 0) {
      return try fail("The duration limit of \(maxDuration) s is invalid; it must be greater than 0.")
    }
    if let box, box.width < 16 || box.height < 16 {
      return try fail("The box \(box.width)x\(box.height) is too small; each side must be at least 16 pixels.")
    }
    if let box, case .threeGP(let maximum) = format, h263Sizes(upTo: maximum).isEmpty {
      let least = H263Size.sqcif.size
      return try fail(
        "The box \(box.width)x\(box.height) is too small for H.263, whose smallest size is \(least.width)x\(least.height)."
      )
    }
  }
}
