package import CLibAV
internal import CMediaShims
package import MediaModel

/// An open container: owns a libav format context whose I/O goes only through our own input.
///
/// Only one thread at a time may use it, as libav requires. Streams are only lent: the context owns them and frees
/// them.
package struct AVContainer: ~Copyable {
  /// The limit in bytes, and in microseconds, for reading what the header leaves out. These are libav's defaults. They
  /// suffice for a transport stream whose audio starts late.
  package static let probeBytes: Int64 = 5_000_000
  package static let probeMicroseconds: Int64 = 5_000_000
  /// Maximum number of streams; a file that declares more is refused.
  package static let streamLimit: Int32 = 256

  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The context reads from it until it is closed.
  private let input: InputHandle

  /// Opens the container and reads its header.
  ///
  /// - Throws: `corrupt`, `unsupported`, `outOfMemory`, and the errors of ``MediaInput/read(at:count:)``.
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

  /// Reads packets and opens decoders until the stream parameters are known or a limit is reached.
  ///
  /// Parameters found before an error are kept.
  package func readStreamInfo() throws(MediaFailure) {
    if let failure = Self.failure(mediatool_av_read_stream_info(context), input.pointer) { throw failure }
  }

  /// The read error, if any: libav reports it as the end of the file.
  package var inputFailure: MediaFailure? {
    mediatool_av_input_failed(context) ? .reading(input.pointer) : nil
  }

  /// Calls a closure with the streams, which must not escape.
  package func withStreams<Result>(_ body: ([UnsafeMutablePointer<AVStream>]) throws -> Result) rethrows -> Result {
    let streams = UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    return try body(streams.compactMap { $0 })
  }

  /// Calls a closure with the context, for reading packets and seeking. It must not escape.
  package func withContext<Result>(
    _ body: (UnsafeMutablePointer<AVFormatContext>) throws -> Result
  ) rethrows -> Result {
    try body(context)
  }

  /// The duration in seconds from the header; nil if it is not stated.
  package var duration: Double? {
    let stated = context.pointee.duration
    return stated > 0 ? Double(stated) / Double(AV_TIME_BASE) : nil
  }

  /// Whether more streams may appear while packets are read: the format has no header that lists them.
  package var hasNoHeader: Bool { context.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0 }

  /// The metadata tags of the file.
  package var tags: AVTags { AVTags(context.pointee.metadata) }

  private static func failure(_ status: mediatool_av_status, _ input: OpaquePointer) -> MediaFailure? {
    switch status {
    case MEDIATOOL_AV_OK: return nil
    case MEDIATOOL_AV_INPUT: return .reading(input)
    case MEDIATOOL_AV_NO_MEMORY:
      return MediaFailure(.outOfMemory, "Not enough memory to read the container.")
    case MEDIATOOL_AV_UNSUPPORTED: return MediaFailure(.unsupported, "The container format is not supported.")
    default: return MediaFailure(.corrupt, "The container cannot be read.")
    }
  }
}
