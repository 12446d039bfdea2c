internal import CEngineShims
internal import FileSupport
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// The file of a source, open for reading only; closed when the value ends.
struct OpenedFile: ~Copyable {
  /// -1 for a file that is read by ranges.
  let descriptor: CInt
  /// Size in bytes when it was opened.
  let size: Int
  /// Identity and status when it was opened; nil for a file that is read by ranges.
  let state: FileStatus?
  /// What reads its ranges; nil for a file with a descriptor.
  let ranges: SharedReader?
  /// Why only the facts can be had, by ranges, although the job needs the whole file; nil if that is not so.
  let refusal: MediaFailure?

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens the file. Blocking: call it on a thread of the engine.
  init(_ source: MediaSource) throws(MediaFailure) {
    switch source.content {
    case .path(let path): try self.init(taking: MediaFile.open(PathBytes(path)))
    case .descriptor(let descriptor):
      guard descriptor.number >= 0 else { throw .opening(FileError(code: descriptor.failure)) }
      try self.init(taking: Self.readOnly(descriptor.number))
    case .bytes(let bytes):
      var memory = try MemoryFile(limit: .max)
      try memory.append(bytes)
      try self.init(taking: memory.finish())
    case .ranges(let source): try self.init(whole: source, limit: .max)
    }
  }

  /// Opens a file whose bytes are fetched, for one job: by ranges if that is sufficient, or if the file is too large to be taken whole. Blocking, for as long
  /// as its reader may.
  init(_ source: SharedReader, for job: MediaJob) throws(MediaFailure) {
    let whole = try Self.whole(source, for: job)
    if let descriptor = whole.descriptor {
      try self.init(taking: descriptor)
      return
    }
    let size = try source.reader.size(until: source.deadline)
    self.init(ranges: source, size: size, refusal: whole.refusal)
  }

  /// The whole of a file whose bytes are fetched, if the job needs it; otherwise why it was refused.
  private static func whole(
    _ source: SharedReader, for job: MediaJob
  ) throws(MediaFailure) -> (descriptor: CInt?, refusal: MediaFailure?) {
    guard !job.readsParts else { return (nil, nil) }
    do throws(MediaFailure) {
      let memory = try source.reader.whole(limit: source.reader.maxBytes, until: source.deadline)
      return (memory.finish(), nil)
    } catch {
      guard error.code == .tooLarge, job.readingParts != nil else { throw error }
      return (nil, error)
    }
  }

  private init(ranges: SharedReader, size: Int, refusal: MediaFailure?) {
    descriptor = -1
    self.size = size
    state = nil
    self.ranges = ranges
    self.refusal = refusal
  }

  /// Takes the whole of a file whose bytes are fetched.
  init(whole source: SharedReader, limit: Int) throws(MediaFailure) {
    let memory = try source.reader.whole(limit: limit, until: source.deadline)
    try self.init(taking: memory.finish())
  }

  private init(taking descriptor: CInt) throws(MediaFailure) {
    let status: FileStatus
    do throws(MediaFailure) { status = try MediaFile.status(of: descriptor) } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    state = status
    size = status.bytes
    ranges = nil
    refusal = nil
  }

  /// The file of a descriptor, reopened for reading only: a compromised worker must not be able to write to it.
  private static func readOnly(_ descriptor: CInt) throws(MediaFailure) -> CInt {
    _ = try MediaFile.status(of: descriptor)
    let opened = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if opened >= 0 { return opened }
    let error = FileError.last
    // Without /proc, or for a file that must not be opened again, a read-only descriptor is sufficient.
    guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY else { throw .opening(error) }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .opening(.last) }
    return copy
  }
}
