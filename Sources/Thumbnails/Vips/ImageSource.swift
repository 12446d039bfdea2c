internal import CMediaShims
internal import CVips
internal import MediaModel
internal import MediaProbe

/// The owned bytes of an encoded image, which libvips can open several times.
struct ImageSource: ~Copyable {
  private let source: UnsafeMutablePointer<VipsSource>

  /// Reads a range of the file.
  init(_ input: borrowing MediaInput, range: Range<Int>) throws(MediaFailure) {
    var source: UnsafeMutablePointer<VipsSource>?
    var error = mediatool_vips_error()
    switch mediatool_vips_source(input.handle, Int64(range.lowerBound), range.count, &source, &error) {
    case MEDIATOOL_VIPS_OK:
      guard let source else { throw .outOfMemory() }
      self.source = source
    case MEDIATOOL_VIPS_INPUT:
      throw .reading(input.handle)
    default:
      throw .outOfMemory()
    }
  }

  deinit { g_object_unref(source) }

  /// Opens the image with the given loader. libvips never guesses the format.
  borrowing func open(_ options: mediatool_load_options) throws(MediaFailure) -> Image {
    try Image.make { mediatool_vips_load(source, options, $0, $1) }
  }

  /// Calls a closure with the bytes, which must not escape.
  borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws(MediaFailure) -> R) throws(MediaFailure) -> R {
    var length = 0
    let bytes = vips_source_map(source, &length)
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length))
  }

  /// Decodes the image with a still decoder of libavcodec.
  borrowing func decode(codec: String, maxPixels: Int) throws(MediaFailure) -> Image {
    var status = MEDIATOOL_VIPS_OK
    do throws(MediaFailure) {
      return try Image.make {
        status = mediatool_still_decode(source, codec, Int64(maxPixels), $0, $1)
        return status.rawValue
      }
    } catch {
      guard status == MEDIATOOL_VIPS_NO_MEMORY else { throw error }
      throw .outOfMemory(detail: error.detail)
    }
  }
}

extension Image {
  /// Decodes frames of an animation as one tall image with libav.
  ///
  /// - Parameters:
  ///   - first: Number of frames before them, which are decoded and dropped.
  ///   - count: Maximum number of frames.
  static func frames(
    of input: borrowing MediaInput, through libav: Loader.FrameDecoder, tracks: ImageChoice.Tracks, first: Int,
    count: Int, maxPixels: Int
  ) throws(MediaFailure) -> Image {
    var options = mediatool_frames_options(
      demuxer: libav.demuxer.pointer, decoders: libav.decoders.pointer, track: CInt(clamping: tracks.image),
      alpha_track: CInt(clamping: tracks.alpha), premultiplied: tracks.isPremultiplied,
      first_frame: CInt(clamping: first), max_frames: CInt(clamping: count), max_pixels: Int64(maxPixels))
    return try Image.make { mediatool_frames_decode(input.handle, &options, $0, $1) }
  }
}

extension StaticString {
  /// A C string that lives as long as the process.
  fileprivate var pointer: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
