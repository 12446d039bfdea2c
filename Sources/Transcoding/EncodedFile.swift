internal import CMediaShims

/// A file that a try has made, still in the memory of C: most are thrown away, and only the best is ever taken out.
struct EncodedFile: ~Copyable {
  let tally: EncodeAttempt.Tally
  private let result: mediatool_transcode_result

  /// Takes the result over.
  init(_ result: consuming mediatool_transcode_result) {
    tally = EncodeAttempt.Tally(result)
    self.result = result
  }

  deinit {
    var result = result
    mediatool_transcode_free(&result)
  }

  /// Bytes of the file.
  var count: Int { Int(result.size) }

  /// The file.
  var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: result.bytes, count: count)) }
}

/// The images and the audio of a video between its tries (`mediatool_transcode_memory`).
struct FrameCache: ~Copyable {
  let handle: OpaquePointer?

  /// - Parameter mostBytes: Bytes of images beyond which nothing is kept. With 0, and where memory is short, nothing ever is.
  init(maxBytes: Int) { handle = maxBytes > 0 ? mediatool_transcode_memory_new(Int64(maxBytes)) : nil }

  deinit { mediatool_transcode_memory_free(handle) }
}
