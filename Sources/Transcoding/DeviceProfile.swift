internal import CMediaShims
internal import MediaModel

/// What the format of a request asks of a video: container, codecs, level, audio.
struct DeviceProfile {
  let info: MediaInfo
  let request: TranscodeRequest

  var isH264: Bool { if case .mp4 = request.format { true } else { false } }

  /// A try that has of the class what does not change from one to the next.
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
      // ITU-T H.263, annex X, and what 3GPP TS 26.140 asks of every receiver: profile 0 level 45, 128 kbit/s; 384 for the larger image.
      attempt.level = size == .cif ? 30 : 45
      attempt.maxRate = size == .cif ? 384_000 : 128_000
    case .amr, .aac: break
    }
    return attempt
  }

  /// The most frames a second: 30 and 15 of H.263 are those of television.
  var maxFrameRate: Double {
    guard case .threeGP(let size) = request.format else { return .infinity }
    return size == .cif ? 30 : 15
  }

  /// Bytes that the level allows the images of so many seconds.
  func rateBytes(_ seconds: Double) -> Int {
    Int(min(1e12, Double(base.maxRate) * seconds / 8 * (isH264 ? 0.97 : 1)))
  }

  /// Whether a video whose images came to so many bytes is of the level. x264 keeps to it itself.
  func isWithinRate(_ videoBytes: Int, seconds: Double) -> Bool { isH264 || videoBytes <= rateBytes(seconds) }

  /// The ways to have the audio, the best first; never empty.
  /// - Parameter mayCopy: Whether one that is of the class is taken as it is.
  func audioCodings(mayCopy: Bool) -> [mediatool_coding] {
    guard request.keepsAudio, info.audioCodec != nil else { return [MEDIATOOL_CODING_NONE] }
    let usual = !isH264 && Transcoder.writesAMR ? MEDIATOOL_CODING_AMR : MEDIATOOL_CODING_AAC
    return mayCopy ? [MEDIATOOL_CODING_COPY, usual] : [usual]
  }

  /// How the audio of a video is encoded that may have so many bits a second in all.
  func audioPlan(_ coding: mediatool_coding, bits: Double) -> AudioEncodePlan {
    let isAMR = coding == MEDIATOOL_CODING_AMR || (coding == MEDIATOOL_CODING_COPY && !isH264)
    return isAMR
      ? AudioEncodePlan(rate: AMRMode.ofVideo(bits: bits), sampleRate: 8_000, channels: 1)
      : .ofVideo(bits: bits, info: info)
  }

  /// The new file.
  func file(_ made: borrowing EncodedFile, size: PixelSize, coding: mediatool_coding, isCopy: Bool) -> TranscodedFile {
    let audio: String? =
      switch coding {
      case MEDIATOOL_CODING_AAC: "aac"
      case MEDIATOOL_CODING_AMR: "amr_nb"
      default: info.audioCodec
      }
    let tally = made.tally
    return TranscodedFile(
      type: MediaType(isH264 ? "video/mp4" : "video/3gpp"), width: size.width, height: size.height,
      duration: tally.seconds, frames: tally.frames, videoCodec: isH264 ? "h264" : "h263",
      audioCodec: tally.hasAudio ? audio : nil, isCopy: isCopy, isCut: tally.isCut, data: made.bytes)
  }
}
