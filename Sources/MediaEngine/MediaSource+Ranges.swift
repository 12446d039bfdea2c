public import FileSupport
public import MediaModel

extension MediaSource {
  /// A file that is not on this machine, such as an object in a bucket: its bytes are fetched when they are needed.
  ///
  /// For facts the engine reads ranges: a worker, which has no network, asks the engine for them, and the engine asks the reader. For everything else
  /// (images, digests, transcodings) it takes the whole file first. If the claim of a file is not that of an image, a video, an audio file, a PDF or a vCard, the
  /// facts come before: of a text or an archive no image can be made, and the rest of its bytes is not fetched.
  ///
  /// Methods that take a deadline block; the engine calls them on threads of its own. A reader serves one job at a time.
  public protocol RangeReader: AnyObject, Sendable {
    /// Seconds that may be spent on waiting for bytes during one job, in addition to the limits of the job.
    var seconds: Double { get }

    /// Maximum size in bytes of a file that is taken whole. 16 GiB by default. Of a larger one there are only the facts, by ranges.
    var maxBytes: Int { get }

    /// Size of the file in bytes.
    func size(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> Int

    /// The bytes of a range if no waiting is needed for them; nil otherwise.
    func held(_ range: Range<Int>) -> [UInt8]?

    /// The bytes of a range inside the file, all of them.
    func read(_ range: Range<Int>, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> [UInt8]

    /// The whole file.
    /// - Parameter limit: Maximum size in bytes; a larger file is `tooLarge`.
    func whole(limit: Int, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> MemoryFile

    /// Ends what is under way in other threads, whose callers have cancelled, and what they begin until ``release()``. The default does nothing: the thread then
    /// ends at its deadline.
    func cancel()

    /// Frees the bytes that are held, because the job is over; the next job may read the file again. The default does nothing.
    func release()
  }

  /// A file whose bytes are fetched when they are needed.
  public static func ranges(_ reader: any RangeReader) -> MediaSource {
    MediaSource(content: .ranges(SharedReader(reader)))
  }
}

extension MediaSource.RangeReader {
  /// 16 GiB.
  public var maxBytes: Int { 17_179_869_184 }

  /// Lets a read that is under way end by itself, for readers that are never slow.
  public func cancel() {}

  /// Keeps nothing, for readers without a buffer.
  public func release() {}
}

/// A reader, which is equal to itself alone.
struct SharedReader: Hashable, Sendable {
  let reader: any MediaSource.RangeReader

  init(_ reader: any MediaSource.RangeReader) { self.reader = reader }

  /// The point in time after which nothing is waited for any more.
  var deadline: ContinuousClock.Instant { .now.advanced(by: .milliseconds(Int64(1_000 * seconds))) }

  /// Between 0 and one day; 0 for NaN.
  var seconds: Double { max(0, min(reader.seconds, 86_400)) }

  static func == (left: SharedReader, right: SharedReader) -> Bool { left.reader === right.reader }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(reader)) }
}
