internal import CMediaShims
internal import MediaModel

/// The requirements of the requested format for a video: container, codecs, level, audio.
struct DeviceProfile {
  let info: MediaInfo
  let request: TranscodeRequest

  var isH264: Bool { if case .mp4 = request.format { true } else { false } }

  /// An attempt with the parameters that are the same for all attempts.
  var base: EncodeAttempt {
    var attempt = EncodeAttempt()
    attempt.container = isH264 ? MEDIATOOL_CONTAINER_MP4 : MEDIATOOL_CONTAINER_3GP
    attempt.maxBytes = request.maxBytes
    attempt.frameRate = min(request.maxFrameRate, maxFrameRate)
    switch request.format {
    case .mp4(let level):
      attempt.level = level.number
      attempt.maxRate = level.maxRate
      attempt.bufferSize = level.bufferSize
    case .threeGP(let size):
      // ITU-T H.263, annex X, and what 3GPP TS 26.140 requires of every receiver: profile 0 level 45, 128 kbit/s; 384
      // for the larger frame size.
      attempt.level = size == .cif ? 30 : 45
      attempt.maxRate = size == .cif ? 384_000 : 128_000
    case .amr, .aac: break
    }
    return attempt
  }

  /// Maximum frames per second; the 30 and 15 of H.263 are NTSC rates.
  var maxFrameRate: Double {
    guard case .threeGP(let size) = request.format else { return .infinity }
    return size == .cif ? 30 : 15
  }

  /// Maximum bytes of the video stream for a duration, by the level's bit rate.
  func rateBytes(_ seconds: Double) -> Int {
    Int(min(1e12, Double(base.maxRate) * seconds / 8 * (isH264 ? 0.97 : 1)))
  }

  /// Whether a video stream of this size conforms to the level. x264 enforces this itself.
  func isWithinRate(_ videoBytes: Int, seconds: Double) -> Bool { isH264 || videoBytes <= rateBytes(seconds) }

  /// The possible audio codings, the best first; never empty.
  ///
  /// - Parameter mayCopy: Whether audio that conforms to the format may be copied.
  func audioCodings(mayCopy: Bool) -> [mediatool_coding] {
    guard request.keepsAudio, info.audioCodec != nil else { return [MEDIATOOL_CODING_NONE] }
    let usual = !isH264 && Transcoder.writesAMR ? MEDIATOOL_CODING_AMR : MEDIATOOL_CODING_AAC
    return mayCopy ? [MEDIATOOL_CODING_COPY, usual] : [usual]
  }

  /// The audio parameters for a video with this many bits per second in total.
  func audioPlan(_ coding: mediatool_coding, bits: Double) -> AudioEncodePlan {
    let isAMR = coding == MEDIATOOL_CODING_AMR || (coding == MEDIATOOL_CODING_COPY && !isH264)
    return isAMR
      ? AudioEncodePlan(rate: AMRMode.ofVideo(bits: bits), sampleRate: 8_000, channels: 1)
      : .ofVideo(bits: bits, info: info)
  }

  /// The transcoded file.
  func file(_ encoded: borrowing EncodedFile, size: PixelSize, coding: mediatool_coding, isCopy: Bool)
    -> TranscodeResult.File
  {
    let audio: String? =
      switch coding {
      case MEDIATOOL_CODING_AAC: "aac"
      case MEDIATOOL_CODING_AMR: "amr_nb"
      default: info.audioCodec
      }
    let tally = encoded.tally
    return TranscodeResult.File(
      type: MediaType(isH264 ? "video/mp4" : "video/3gpp"), width: size.width, height: size.height,
      duration: tally.seconds, frames: tally.frames, videoCodec: isH264 ? "h264" : "h263",
      audioCodec: tally.hasAudio ? audio : nil, isCopy: isCopy, isCut: tally.isCut, data: encoded.bytes)
  }
}
