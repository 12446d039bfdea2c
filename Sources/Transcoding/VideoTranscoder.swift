internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Transcodes one video: copies the stream if it fits, otherwise encodes it until it does.
struct VideoTranscoder {
  let info: MediaInfo
  let request: TranscodeRequest
  let progress: ProgressReport

  /// Bytes per second at which almost every video is still watchable: the minimum that Android's composer requires of a
  /// recording.
  static let usualBytesPerSecond = 4_096.0
  /// With fewer bytes per second not even a slide show with narrowband speech fits, and no attempt is made.
  static let leastBytesPerSecond = 1_024.0

  private var video: DeviceProfile { DeviceProfile(info: info, request: request) }

  func fit(_ input: borrowing MediaInput, _ result: inout TranscodeResult) throws(MediaFailure) {
    guard info.kind == .video else { throw MediaFailure(.unsupported, "The file has no video stream.") }
    let source = try SourceShape(input, info: info, limits: request.limits)
    if let file = try copy(input, source) {
      result.file = file
      return
    }
    var seconds = statedSeconds ?? min(maxSeconds, 60)
    if seconds > maxSeconds + 0.05 {
      guard request.mayCut else { throw refusal(usualSeconds, &result) }
      seconds = usualSeconds
    }
    if let file = try encode(input, source, seconds: seconds, limit: maxSeconds, &result) {
      result.file = file
      return
    }
    // The duration that would have fitted at the worst quality is known now.
    guard request.mayCut, let fitting = result.fittingDuration, fitting > 0 else {
      throw refusal(result.fittingDuration ?? 0, &result)
    }
    guard let file = try encode(input, source, seconds: fitting, limit: fitting, &result) else {
      throw refusal(result.fittingDuration ?? 0, &result)
    }
    result.fittingDuration = nil
    result.file = file
  }

  private func encode(
    _ input: borrowing MediaInput, _ source: SourceShape, seconds: Double, limit: Double,
    _ result: inout TranscodeResult
  ) throws(MediaFailure) -> TranscodeResult.File? {
    var encoding = VideoEncoder(
      video, source, seconds: seconds, isLengthKnown: statedSeconds != nil, limit: limit)
    return try encoding.run(input, &result, progress: progress)
  }

  /// The stated duration; nil if unknown.
  private var statedSeconds: Double? { info.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }

  /// Maximum seconds to attempt.
  private var maxSeconds: Double { fittingSeconds(Self.leastBytesPerSecond) }

  /// The seconds that fit if nothing else is known about the video.
  private var usualSeconds: Double { fittingSeconds(Self.usualBytesPerSecond) }

  private func fittingSeconds(_ bytesPerSecond: Double) -> Double {
    min(request.maxDuration ?? .infinity, Double(request.maxBytes) / bytesPerSecond)
  }

  private func refusal(_ seconds: Double, _ result: inout TranscodeResult) -> MediaFailure {
    result.fittingDuration = seconds
    return MediaFailure.wouldNotFit(statedSeconds, in: request.maxBytes, fitting: seconds)
  }
}

// Copying.
extension VideoTranscoder {
  /// Remuxes the video with its audio, or with the audio encoded if it does not conform; nil if that is impossible.
  private func copy(
    _ input: borrowing MediaInput, _ source: SourceShape
  ) throws(MediaFailure) -> TranscodeResult.File? {
    guard info.videoCodec == (video.isH264 ? "h264" : "h263"), source.orientation == .up, info.hdr == nil,
      info.error == nil, let seconds = statedSeconds, allowsCopy(of: source.size)
    else { return nil }
    var attempt = video.base
    attempt.video = MEDIATOOL_CODING_COPY
    attempt.size = source.size
    attempt.maxSeconds = (request.maxDuration ?? 1e6) + 0.05
    let bits = Double(request.maxBytes) * 8 / max(0.1, seconds)
    for coding in video.audioCodings(mayCopy: true) {
      attempt.audio = coding
      attempt.audioPlan = video.audioPlan(coding, bits: bits)
      guard case .encoded(let encoded) = try attempt.run(input, info: info, limits: request.limits) else { continue }
      let tally = encoded.tally
      guard !tally.isCut, video.isWithinRate(tally.videoBytes, seconds: max(1, tally.seconds)) else { continue }
      return video.file(encoded, size: source.size, coding: coding, isCopy: true)
    }
    return nil
  }

  private func allowsCopy(of size: PixelSize) -> Bool {
    switch request.format {
    case .mp4(let level): level.allows(size) && size.fitsInEitherOrientation(into: request.box)
    case .threeGP(let maximum): request.h263Sizes(upTo: maximum).contains(size)
    case .amr, .aac: false
    }
  }
}
