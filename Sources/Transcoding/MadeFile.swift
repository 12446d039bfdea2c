internal import CMediaShims

/// A file that a try has made, still in the memory of C: most are thrown away, and only the best is ever taken out.
struct MadeFile: ~Copyable {
  let tally: TranscodingTry.Tally
  private let result: mediatool_transcode_result

  /// Takes the result over.
  init(_ result: consuming mediatool_transcode_result) {
    tally = TranscodingTry.Tally(result)
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

/// The pictures and the sound of a film between its tries (`mediatool_transcode_memory`).
struct FilmMemory: ~Copyable {
  let handle: OpaquePointer?

  /// - Parameter mostBytes: Bytes of pictures beyond which nothing is kept. With 0, and where memory is short, nothing ever is.
  init(mostBytes: Int) { handle = mostBytes > 0 ? mediatool_transcode_memory_new(Int64(mostBytes)) : nil }

  deinit { mediatool_transcode_memory_free(handle) }
}
