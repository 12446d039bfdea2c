internal import MediaModel

/// Transcoded files.
extension ResultCheck {
  static func check(_ transcoded: TranscodeResult, of request: TranscodeRequest) throws(ProtocolViolation) {
    try check(transcoded.error)
    guard (0...maxEncodings).contains(transcoded.encodings), (0...maxBytesRead).contains(transcoded.bytesRead),
      transcoded.fittingDuration.map({ (0...maxFittingSeconds).contains($0) }) ?? true
    else { throw ProtocolViolation("a count of the transcoded file is out of range") }
    guard let file = transcoded.file else { return }
    guard file.data.count <= min(request.maxBytes, TranscodeRequest.maxBytesLimit) else {
      throw ProtocolViolation("the transcoded file is larger than requested")
    }
    guard isOfFormat(file, request.format) else {
      throw ProtocolViolation("file format differs from the requested format")
    }
    try checkSize(file, of: request)
    // A cut is made at a frame, and audio ends with a whole packet.
    guard (0...min(longestVideo, (request.maxDuration ?? longestVideo) + 2)).contains(file.duration) else {
      throw ProtocolViolation("the transcoded file is longer than requested")
    }
    // Twice the rate: a file of a few frames has a duration that is hardly known.
    let rate = max(1, min(request.maxFrameRate, 1_000))
    guard file.frames.map({ $0 >= 1 && Double($0) <= 2 * rate * (file.duration + 2) }) ?? true else {
      throw ProtocolViolation("impossible number of frames")
    }
  }

  /// A video is no larger than its box, which holds in either orientation, and its level; an audio file has no size.
  private static func checkSize(
    _ file: TranscodeResult.File, of request: TranscodeRequest
  ) throws(ProtocolViolation) {
    guard request.format.hasImages else {
      guard file.width == nil, file.height == nil, file.frames == nil, file.videoCodec == nil else {
        throw ProtocolViolation("an audio file has images")
      }
      return
    }
    guard let width = file.width, let height = file.height, width >= 1, height >= 1 else {
      throw ProtocolViolation("a video has no size")
    }
    let largest: PixelSize =
      switch request.format {
      case .threeGP(let size): size.size
      // The longest side of a level; `H264Level.allows` of the encoder is stricter.
      case .mp4, .amr, .aac: PixelSize(width: longestSide, height: longestSide)
      }
    let boxes = [largest] + (request.box.map { [$0] } ?? [])
    for box in boxes {
      guard max(width, height) <= max(box.width, box.height), min(width, height) <= min(box.width, box.height) else {
        throw ProtocolViolation("the transcoded file is larger than requested")
      }
    }
  }

  private static func isOfFormat(_ file: TranscodeResult.File, _ format: TranscodeRequest.Format) -> Bool {
    let (types, video): ([String], String?) =
      switch format {
      case .mp4: (["video/mp4"], "h264")
      case .threeGP: (["video/3gpp"], "h263")
      case .amr: (["audio/amr", "audio/3gpp"], nil)
      case .aac: (["audio/mp4"], nil)
      }
    guard types.contains(file.type.rawValue), file.videoCodec == video,
      file.audioCodec.map({ FactBounds.isName($0, 64) }) ?? true
    else { return false }
    return file.type.rawValue == "audio/amr"
      ? has("#!AMR\n", in: file.data, at: 0) : has("ftyp", in: file.data, at: 4)
  }

  /// √(8 × 8,192) macroblocks of 16 pixels: the longest side of level 4 (ITU-T H.264, A.3.1).
  private static let longestSide = 4_096
  /// The search for a quality ends long before.
  private static let maxEncodings = 1_000
  /// At the least bytes a second, 32 MiB are some months.
  private static let maxFittingSeconds = 1e9
}
