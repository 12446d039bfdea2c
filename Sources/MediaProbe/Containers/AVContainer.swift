package import CLibAV
internal import CMediaShims
package import MediaModel

/// An open container: owner of a libav format context that reads the file through our own input only.
///
/// One user at a time, as libav demands. Streams are lent, never handed out: they are part of the context and die with it.
package struct AVContainer: ~Copyable {
  /// Bytes and microseconds that may be read to learn what the header leaves out. libav's own defaults; enough for a transport stream
  /// whose audio begins late.
  package static let probeBytes: Int64 = 5_000_000
  package static let probeMicroseconds: Int64 = 5_000_000
  /// Streams in one file; a file that declares more is refused.
  package static let streamLimit: Int32 = 256

  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The context reads from it until it is closed.
  private let input: InputHandle

  /// Opens the container and reads its header.
  /// - Throws: `corrupt`, `unsupported`, `outOfMemory`, and what ``MediaInput/read(at:count:)`` throws.
  package init(_ input: borrowing MediaInput, demuxer: String, decoders: [String]) throws(MediaFailure) {
    var opened: UnsafeMutablePointer<AVFormatContext>?
    let handle = input.handle
    let status = demuxer.withCString { demuxer in
      decoders.joined(separator: ",").withCString { decoders in
        var options = mediatool_av_options(
          demuxer: demuxer, decoders: decoders, probe_bytes: Self.probeBytes,
          probe_microseconds: Self.probeMicroseconds, max_streams: Self.streamLimit)
        return mediatool_av_open(handle, &options, &opened)
      }
    }
    if let failure = Self.failure(status, handle) { throw failure }
    guard let opened else { throw .outOfMemory() }
    self.context = opened
    self.input = input.shared
  }

  deinit { mediatool_av_close(context) }

  /// Reads packets, and opens decoders, until the streams are known or a bound is reached. What was found so far stays also when it throws.
  package func readStreamInfo() throws(MediaFailure) {
    if let failure = Self.failure(mediatool_av_read_stream_info(context), input.pointer) { throw failure }
  }

  /// Why a read of the file failed, if one did: libav takes that for the end of the file.
  package var inputFailure: MediaFailure? {
    mediatool_av_input_failed(context) ? .reading(input.pointer) : nil
  }

  /// Lends the streams.
  package func withStreams<Result>(_ body: ([UnsafeMutablePointer<AVStream>]) throws -> Result) rethrows -> Result {
    let streams = UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    return try body(streams.compactMap { $0 })
  }

  /// Lends the context, for reading packets and seeking.
  package func withContext<Result>(
    _ body: (UnsafeMutablePointer<AVFormatContext>) throws -> Result
  ) rethrows -> Result {
    try body(context)
  }

  /// Seconds, as the header says; nil when it does not.
  package var duration: Double? {
    let stated = context.pointee.duration
    return stated > 0 ? Double(stated) / Double(AV_TIME_BASE) : nil
  }

  /// Whether streams may still appear while packets are read, because the format has no header that lists them.
  package var hasNoHeader: Bool { context.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0 }

  /// The tags of the whole file.
  package var tags: AVTags { AVTags(context.pointee.metadata) }

  private static func failure(_ status: mediatool_av_status, _ input: OpaquePointer) -> MediaFailure? {
    switch status {
    case MEDIATOOL_AV_OK: return nil
    case MEDIATOOL_AV_INPUT: return .reading(input)
    case MEDIATOOL_AV_NO_MEMORY:
      return MediaFailure(.outOfMemory, "It asks for more memory than there is or than is allowed.")
    case MEDIATOOL_AV_UNSUPPORTED: return MediaFailure(.unsupported, "This kind of container is not supported.")
    default: return MediaFailure(.corrupt, "The container cannot be read.")
    }
  }
}
