internal import CMediaShims

/// An encoded file in C memory. Only the best one is ever copied out; the others are discarded.
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

/// Decoded frames and audio that are reused by later attempts (`mediatool_transcode_memory`).
struct FrameCache: ~Copyable {
  let handle: OpaquePointer?

  /// - Parameter maxBytes: Maximum bytes of frames to keep. Nothing is kept with 0, or if memory is short.
  init(maxBytes: Int) { handle = maxBytes > 0 ? mediatool_transcode_memory_new(Int64(maxBytes)) : nil }

  deinit { mediatool_transcode_memory_free(handle) }
}
