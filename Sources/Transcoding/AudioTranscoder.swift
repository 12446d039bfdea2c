internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Transcodes one audio file: copies the stream if it fits, otherwise encodes it until it does.
struct AudioTranscoder {
  let info: MediaInfo
  let request: TranscodeRequest
  let progress: ProgressReport

  /// Bytes of an MP4 without its samples, and the index bytes per second of AAC.
  private static let headBytes = 1_200.0
  /// Minimum bit rate in bits per second; AAC below it is noise.
  private static let leastRate = 8_000
  /// Maximum AAC encoding passes: complex audio exceeds the requested bit rate.
  private static let maxAttempts = 10

  func fit(_ input: borrowing MediaInput, _ result: inout TranscodeResult) throws(MediaFailure) {
    guard info.kind == .audio || info.audioCodec != nil else {
      throw MediaFailure(.unsupported, "The file has no audio stream.")
    }
    if let file = try copy(input) {
      result.file = file
      return
    }
    let isAMR = request.format == .amr && Transcoder.writesAMR
    let fitting = max(0, min(request.maxDuration ?? .infinity, isAMR ? maxAMR : maxAAC))
    let isTooLong = (info.duration ?? 0) > fitting + 0.05
    result.fittingDuration = fitting
    let tooLong = MediaFailure.wouldNotFit(info.duration, in: request.maxBytes, fitting: fitting)
    guard fitting > 0.02, request.mayCut || !isTooLong else { throw tooLong }
    guard let file = try isAMR ? amr(input, fitting, &result) : aac(input, fitting, &result) else { throw tooLong }
    result.fittingDuration = nil
    result.file = file
  }

  private var maxAMR: Double {
    Double((request.maxBytes - AMRMode.headBytes) / (AMRMode.all.last?.bytes ?? 13)) / AMRMode.frames
  }

  private var maxAAC: Double { (Double(request.maxBytes) - Self.headBytes) / (Double(Self.leastRate) / 8 + 50) }

  /// Remuxes audio whose codec already conforms to the format.
  private func copy(_ input: borrowing MediaInput) throws(MediaFailure) -> TranscodeResult.File? {
    guard info.audioCodec == (request.format == .amr ? "amr_nb" : "aac"), info.error == nil else { return nil }
    var attempt = base(seconds: (request.maxDuration ?? 1e6) + 0.05)
    attempt.container = request.format == .amr ? MEDIATOOL_CONTAINER_AMR : MEDIATOOL_CONTAINER_MP4
    attempt.audio = MEDIATOOL_CODING_COPY
    guard case .encoded(let encoded) = try attempt.run(input, info: info, limits: request.limits), !encoded.tally.isCut
    else {
      return nil
    }
    return file(encoded, isCopy: true, type: request.format == .amr ? "audio/amr" : "audio/mp4", codec: info.audioCodec)
  }

  /// All AMR frames of a mode have one size, so the best mode that fits is known in advance if the duration is.
  private func amr(
    _ input: borrowing MediaInput, _ fitting: Double, _ result: inout TranscodeResult
  ) throws(MediaFailure) -> TranscodeResult.File? {
    let seconds = info.duration.map { min($0, fitting) } ?? 0
    for mode in AMRMode.all {
      let bytes = (min(seconds, 1e9) * AMRMode.frames).rounded(.up) * Double(mode.bytes) + Double(AMRMode.headBytes)
      guard bytes <= Double(request.maxBytes) else { continue }
      var attempt = base(seconds: fitting)
      attempt.container = MEDIATOOL_CONTAINER_AMR
      attempt.audio = MEDIATOOL_CODING_AMR
      attempt.audioPlan = AudioEncodePlan(rate: mode.rate, sampleRate: 8_000, channels: 1)
      result.encodings += 1
      guard case .encoded(let encoded) = try run(attempt, input) else { continue }
      guard request.mayCut || !encoded.tally.isCut else { return nil }
      return file(encoded, isCopy: false, type: "audio/amr", codec: "amr_nb")
    }
    return nil
  }

  private func aac(
    _ input: borrowing MediaInput, _ fitting: Double, _ result: inout TranscodeResult
  ) throws(MediaFailure) -> TranscodeResult.File? {
    let seconds = max(0.1, min(info.duration ?? 60, fitting))
    // Five index bytes per frame of 1,024 samples.
    var bits = (Double(request.maxBytes) - Self.headBytes - seconds * 220) * 8 / seconds
    let is3GP = request.format == .amr
    if is3GP { bits = min(bits, 24_000) }
    var longest = fitting
    for _ in 0..<Self.maxAttempts {
      var attempt = base(seconds: longest)
      attempt.container = is3GP ? MEDIATOOL_CONTAINER_3GP : MEDIATOOL_CONTAINER_MP4
      attempt.audio = MEDIATOOL_CODING_AAC
      attempt.audioPlan = AudioEncodePlan(bits: Int(min(max(bits, Double(Self.leastRate)), 160_000)), info: info)
      result.encodings += 1
      if case .encoded(let encoded) = try run(attempt, input) {
        guard request.mayCut || !encoded.tally.isCut else { return nil }
        return file(encoded, isCopy: false, type: is3GP ? "audio/3gpp" : "audio/mp4", codec: "aac")
      }
      if attempt.audioPlan.rate > Self.leastRate {
        bits = Double(attempt.audioPlan.rate) * 0.88
      } else if request.mayCut {
        longest = min(longest, info.duration ?? longest) * 0.85
      } else {
        return nil
      }
    }
    return nil
  }

  private func run(
    _ attempt: EncodeAttempt, _ input: borrowing MediaInput
  ) throws(MediaFailure) -> EncodeAttempt.Outcome {
    let duration = info.duration.map { min($0, attempt.maxSeconds) }
    return try attempt.run(
      input, info: info, limits: request.limits, progress: progress.pass(duration: duration))
  }

  private func base(seconds: Double) -> EncodeAttempt {
    var attempt = EncodeAttempt()
    attempt.maxBytes = request.maxBytes
    attempt.maxSeconds = seconds
    return attempt
  }

  private func file(_ encoded: borrowing EncodedFile, isCopy: Bool, type: String, codec: String?)
    -> TranscodeResult.File
  {
    TranscodeResult.File(
      type: MediaType(type), duration: encoded.tally.seconds, audioCodec: codec, isCopy: isCopy,
      isCut: encoded.tally.isCut,
      data: encoded.bytes)
  }
}
