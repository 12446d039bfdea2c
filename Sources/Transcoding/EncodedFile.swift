internal import CMediaShims

/// A file that an attempt has made, still in the memory of C: most are thrown away, and only the best is ever taken out.
struct EncodedFile: ~Copyable {
  let tally: EncodeAttempt.Tally
  private let result: mediatool_transcode_result

  /// Takes ownership of the result.
  init(_ result: consuming mediatool_transcode_result) {
    tally = EncodeAttempt.Tally(result)
    self.result = result
  }

  deinit {
    var result = result
    mediatool_transcode_free(&result)
  }

  /// Size in bytes.
  var count: Int { Int(result.size) }

  /// A copy of the content.
  var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: result.bytes, count: count)) }
}

/// The images and the audio of a video between attempts (`mediatool_frame_cache`).
struct FrameCache: ~Copyable {
  let handle: OpaquePointer?

  /// - Parameter maxBytes: Bytes of images beyond which nothing is kept. With 0, and where memory is short, nothing ever is.
  init(maxBytes: Int) { handle = maxBytes > 0 ? mediatool_frame_cache_new(Int64(maxBytes)) : nil }

  deinit { mediatool_frame_cache_free(handle) }
}
