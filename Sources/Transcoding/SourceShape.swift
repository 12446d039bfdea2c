internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// The geometry of the frames of a video.
struct SourceShape {
  /// The displayed size: rotated, with square pixels.
  let size: PixelSize
  /// The orientation of stored frames.
  let orientation: MediaInfo.Orientation

  /// Reads it from the container; the displayed size in the facts takes precedence.
  init(_ input: borrowing MediaInput, info: MediaInfo, limits: MediaLimits) throws(MediaFailure) {
    if let size = info.displaySize, size.pixelCount > limits.pixels {
      throw MediaFailure(.tooManyPixels, "The video has more than \(limits.pixels.grouped) pixels per frame.")
    }
    guard let demuxer = Demuxers.name(for: info.type, in: input) else {
      throw MediaFailure(.unsupported, "The container format \(info.type) is not supported.")
    }
    var opened: OpaquePointer?
    let handle = input.handle
    let status = demuxer.withCString { demuxer in
      Demuxers.imageDecoders.joined(separator: ",").withCString { decoders in
        var options = mediatool_video_options(
          demuxer: demuxer, decoders: decoders, duration: info.duration ?? 0, transfer: 0,
          max_pixels: Int64(clamping: limits.pixels), fast: false, alpha: false)
        return mediatool_video_open(handle, &options, &opened)
      }
    }
    if let opened {
      defer { mediatool_video_close(opened) }
      let facts = mediatool_video_get_facts(opened)
      if facts.is_cover { throw MediaFailure(.unsupported, "The file has no video stream, only cover art.") }
      let matrix = withUnsafeBytes(of: facts.matrix) { Array($0.bindMemory(to: Int32.self)) }
      orientation = (facts.has_matrix ? DisplayMatrix(matrix)?.orientation : nil) ?? .up
      let stored = PixelSize(width: Int(facts.width), height: Int(facts.height))
      let shown = info.displaySize ?? orientation.displayed(stored)
      guard shown.isPositive else { throw MediaFailure(.corrupt, "The video cannot be decoded.") }
      size = shown
      return
    }
    switch status {
    case MEDIATOOL_VIDEO_NONE: throw MediaFailure(.unsupported, "The file has no video stream.")
    case MEDIATOOL_VIDEO_UNSUPPORTED: throw .unsupportedVideoCodec(info.videoCodec)
    case MEDIATOOL_VIDEO_TOO_LARGE:
      throw MediaFailure(.tooManyPixels, "The video has more than \(limits.pixels.grouped) pixels per frame.")
    case MEDIATOOL_VIDEO_NO_MEMORY: throw .outOfMemory()
    case MEDIATOOL_VIDEO_INPUT: throw .reading(handle)
    default: throw MediaFailure(.corrupt, "The video cannot be decoded.")
    }
  }
}
