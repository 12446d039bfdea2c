internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// An open video for decoding single frames; owns the container and the decoder.
struct Video: ~Copyable {
  private let pointer: OpaquePointer
  /// The container reads from it until it is closed.
  private let input: InputHandle
  private let limits: MediaLimits
  /// The codec of the stream, for messages.
  private let codec: String?

  /// Opens the container and the decoder of its best video stream.
  init(_ input: borrowing MediaInput, info: MediaInfo, options: Thumbnailer.Options, fast: Bool) throws(MediaFailure) {
    guard let demuxer = Demuxers.name(for: info.type, in: input) else {
      throw MediaFailure(.unsupported, "The container format \(info.type) is not supported.")
    }
    let transfer: CInt =
      switch info.hdr {
      case .pq: CInt(MEDIATOOL_TRANSFER_PQ)
      case .hlg: CInt(MEDIATOOL_TRANSFER_HLG)
      case .gainmap, nil: 0
      }
    var opened: OpaquePointer?
    let handle = input.handle
    let status = demuxer.withCString { demuxer in
      Demuxers.imageDecoders.joined(separator: ",").withCString { decoders in
        var options = mediatool_video_options(
          demuxer: demuxer, decoders: decoders, duration: info.duration ?? 0, transfer: transfer,
          max_pixels: Int64(clamping: options.limits.pixels), fast: fast, alpha: info.alpha == true)
        return mediatool_video_open(handle, &options, &opened)
      }
    }
    if let failure = Self.failure(status, handle, options.limits, codec: info.videoCodec) { throw failure }
    guard let opened else { throw MediaFailure(.outOfMemory, "Not enough memory.") }
    self.pointer = opened
    self.input = input.shared
    self.limits = options.limits
    codec = info.videoCodec
  }

  deinit { mediatool_video_close(pointer) }

  /// The facts from the header, overridden by the kept frame.
  var facts: VideoFacts { VideoFacts(mediatool_video_get_facts(pointer)) }
  var framesDecoded: Int { Int(mediatool_video_frames_decoded(pointer)) }
  /// The presentation time of the kept frame, in seconds from the start.
  var keptTime: Double? {
    let time = mediatool_video_time(pointer)
    return time >= 0 && time.isFinite ? time : nil
  }

  /// Decodes the key frame at or before a position; false if it has already been decoded.
  ///
  /// - Parameter farthest: Maximum distance in seconds. If a container without an index seeks further back, packets are
  ///   read up to the position.
  mutating func decodeKeyFrame(at second: Double, farthest: Double = .infinity) throws(MediaFailure) -> Bool {
    var isNew = false
    try check(mediatool_video_key_frame(pointer, second, farthest, &isNew))
    return isNew
  }

  /// Decodes from the key frame at or before a position up to an intact frame.
  mutating func decodeUndamagedFrame(at second: Double) throws(MediaFailure) {
    try check(mediatool_video_undamaged_frame(pointer, second))
  }

  /// Decodes the frame at a position in seconds.
  mutating func decodeFrame(at second: Double) throws(MediaFailure) {
    try check(mediatool_video_frame_at(pointer, second))
  }

  /// Decodes the first frame, without the index.
  mutating func decodeFirstFrame() throws(MediaFailure) { try check(mediatool_video_first_frame(pointer)) }

  /// Decodes the frame that is `count` frames further on.
  mutating func decode(framesOn count: Int) throws(MediaFailure) {
    try check(mediatool_video_skip(pointer, CInt(count)))
  }

  /// Statistics of the frame at hand.
  var analysis: FrameAnalysis { FrameAnalysis(mediatool_video_analyze_frame(pointer)) }

  /// Keeps the current frame as the best so far.
  mutating func keep() { mediatool_video_keep(pointer) }

  /// The kept frame, scaled to a size with square pixels and not rotated.
  func image(size: PixelSize) throws(MediaFailure) -> Image {
    try Image.make {
      mediatool_video_image(pointer, CInt(clamping: size.width), CInt(clamping: size.height), $0, $1)
    }
  }

  private func check(_ status: mediatool_video_status) throws(MediaFailure) {
    if let failure = Self.failure(status, input.pointer, limits, codec: codec) { throw failure }
  }

  private static func failure(
    _ status: mediatool_video_status, _ input: OpaquePointer, _ limits: MediaLimits, codec: String?
  ) -> MediaFailure? {
    switch status {
    case MEDIATOOL_VIDEO_OK: nil
    case MEDIATOOL_VIDEO_NONE: MediaFailure(.unsupported, "The file has no video stream.")
    case MEDIATOOL_VIDEO_UNSUPPORTED: .unsupportedVideoCodec(codec)
    case MEDIATOOL_VIDEO_TOO_LARGE:
      MediaFailure(.tooManyPixels, "The video has more than \(limits.pixels.grouped) pixels per frame.")
    case MEDIATOOL_VIDEO_NO_MEMORY: MediaFailure(.outOfMemory, "Not enough memory.")
    case MEDIATOOL_VIDEO_INPUT: .reading(input)
    default: MediaFailure(.corrupt, "No frame of the video can be decoded.")
    }
  }
}
