internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// One encoding with one quality.
struct EncodeAttempt {
  var container = MEDIATOOL_CONTAINER_MP4
  var video = MEDIATOOL_CODING_NONE
  var audio = MEDIATOOL_CODING_NONE
  /// The upright output size, with even sides, and the part of it that the video fills.
  var size = PixelSize(width: 0, height: 0)
  var shown = PixelSize(width: 0, height: 0)
  var orientation = MediaInfo.Orientation.up
  var frameRate = 30.0
  var quantizer = 23.0
  /// The quantiser range in which rate control may move to reach the target bytes, without the container. A target of 0
  /// disables rate control.
  var quantizers = 18.0...40.0
  var aimBytes = 0
  var level = 0
  var maxRate = 0
  var bufferSize = 0
  var audioPlan = AudioEncodePlan(rate: 32_000, sampleRate: 22_050, channels: 1)
  var maxSeconds = 0.0
  /// Expected duration in seconds; 0 if unknown.
  var expectedSeconds = 0.0
  var maxBytes = 0

  /// How an attempt ended: with a file, over the limit, or with a stream that cannot be copied.
  enum Outcome: ~Copyable {
    case encoded(EncodedFile)
    /// The file exceeds the limit, or is projected to.
    case overLimit(Tally)
    /// The stream to be copied does not conform to the format.
    case notInClass
  }

  /// What an attempt has written at its end, or when it was abandoned.
  struct Tally {
    /// Bytes of the video stream.
    let videoBytes: Int
    /// Bytes of both streams: actual or projected.
    let projectedBytes: Int
    /// Seconds of output that were encoded.
    let seconds: Double
    let frames: Int
    let hasAudio: Bool
    let isCut: Bool

    init(_ result: borrowing mediatool_transcode_result) {
      videoBytes = Int(result.video_bytes)
      projectedBytes = Int(result.projected_bytes)
      seconds = result.seconds.isFinite ? max(0, result.seconds) : 0
      frames = Int(result.frames)
      hasAudio = result.has_audio
      isCut = result.is_cut
    }
  }

  /// Runs the attempt.
  ///
  /// - Parameters:
  ///   - cache: Frames of earlier attempts at the same video.
  ///   - progress: Called with the seconds encoded so far.
  func run(
    _ input: borrowing MediaInput, info: MediaInfo, limits: MediaLimits,
    cache: borrowing FrameCache = FrameCache(maxBytes: 0), progress: @escaping (Double) -> Void = { _ in }
  ) throws(MediaFailure) -> Outcome {
    guard let demuxer = Demuxers.name(for: info.type, in: input) else {
      throw MediaFailure(.unsupported, "The container format \(info.type) is not supported.")
    }
    let handle = input.handle
    let kept = cache.handle
    var result = mediatool_transcode_result()
    let status = demuxer.withCString { demuxer in
      Demuxers.imageDecoders.joined(separator: ",").withCString { decoders in
        var options = options(demuxer: demuxer, decoders: decoders, info: info, limits: limits)
        options.cache = kept
        options.progress = { context, seconds in
          context?.assumingMemoryBound(to: ((Double) -> Void).self).pointee(seconds)
        }
        // It is called on this thread, during this call.
        return withUnsafePointer(to: progress) { progress in
          options.progress_context = UnsafeMutableRawPointer(mutating: progress)
          return mediatool_transcode(handle, &options, &result)
        }
      }
    }
    // Only a completed attempt has bytes, which must be freed.
    switch status {
    case MEDIATOOL_TRANSCODE_OK: return .encoded(EncodedFile(result))
    case MEDIATOOL_TRANSCODE_OVER: return .overLimit(Tally(result))
    case MEDIATOOL_TRANSCODE_NOT_IN_CLASS: return .notInClass
    default: throw failure(status, handle, info, limits)
    }
  }

  private func options(
    demuxer: UnsafePointer<CChar>, decoders: UnsafePointer<CChar>, info: MediaInfo, limits: MediaLimits
  ) -> mediatool_transcode_options {
    let transfer: CInt =
      switch info.hdr {
      case .pq: CInt(MEDIATOOL_TRANSFER_PQ)
      case .hlg: CInt(MEDIATOOL_TRANSFER_HLG)
      case .gainmap, nil: 0
      }
    return mediatool_transcode_options(
      demuxer: demuxer, decoders: decoders, max_pixels: Int64(clamping: limits.pixels), transfer: transfer,
      container: container, video: video, audio: audio, width: Int32(clamping: size.width),
      height: Int32(clamping: size.height), shown_width: Int32(clamping: shown.width),
      shown_height: Int32(clamping: shown.height), orientation: Int32(orientation.rawValue),
      max_frame_rate: frameRate, quantizer: quantizer, min_quantizer: quantizers.lowerBound,
      max_quantizer: quantizers.upperBound, aim_bytes: Int64(aimBytes), level: Int32(level), max_rate: Int64(maxRate),
      buffer_size: Int64(bufferSize), sample_rate: Int32(audioPlan.sampleRate), channels: Int32(audioPlan.channels),
      audio_rate: Int64(audioPlan.rate), max_seconds: maxSeconds,
      expected_seconds: expectedSeconds, max_bytes: Int64(maxBytes), cache: nil,
      progress: nil, progress_context: nil)
  }

  private func failure(
    _ status: mediatool_transcode_status, _ input: OpaquePointer, _ info: MediaInfo, _ limits: MediaLimits
  ) -> MediaFailure {
    let isVideo = video != MEDIATOOL_CODING_NONE
    switch status {
    case MEDIATOOL_TRANSCODE_NONE:
      return MediaFailure(.unsupported, isVideo ? "The file has no video stream." : "The file has no audio stream.")
    case MEDIATOOL_TRANSCODE_UNSUPPORTED:
      return isVideo ? .unsupportedVideoCodec(info.videoCodec) : .unsupportedAudioCodec(info.audioCodec)
    case MEDIATOOL_TRANSCODE_NO_ENCODER:
      return MediaFailure(.unsupported, "No encoder for the requested format is installed.")
    case MEDIATOOL_TRANSCODE_TOO_LARGE:
      return MediaFailure(.tooManyPixels, "The video has more than \(limits.pixels.grouped) pixels per frame.")
    case MEDIATOOL_TRANSCODE_NO_MEMORY: return .outOfMemory()
    case MEDIATOOL_TRANSCODE_INPUT: return .reading(input)
    default:
      return MediaFailure(
        .corrupt, isVideo ? "The video cannot be decoded." : "The audio cannot be decoded.")
    }
  }
}
