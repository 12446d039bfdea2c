internal import CMediaShims
public import FileSupport
internal import Glibc
public import MediaModel

/// An open file or bytes in memory. Releases what it owns when its lifetime ends.
///
/// Reads are positional (`pread`), so they do not depend on a shared file offset. They never use `mmap`: truncating a
/// mapped file kills the process that reads it. Not for concurrent use.
public struct MediaInput: ~Copyable {
  /// Size in bytes at the time of opening.
  public let size: Int
  /// The C handle of the file, which every reader keeps alive.
  package let shared: InputHandle
  /// The C handle of the file, for readers in C. Valid as long as this value or ``shared``.
  package var handle: OpaquePointer { shared.pointer }

  /// Opens a regular file.
  ///
  /// The path is checked before it is opened, so that a FIFO or a device is never opened.
  ///
  /// - Throws: `notFound`, `accessDenied`, `unreadable`.
  public init(path: String) throws(MediaFailure) { try self.init(pathBytes: Array(path.utf8)) }

  /// Opens a regular file whose path need not be UTF-8; otherwise as ``init(path:)``.
  public init(pathBytes: [UInt8]) throws(MediaFailure) {
    try self.init(takingDescriptor: MediaFile.open(PathBytes(pathBytes)))
  }

  /// Takes ownership of an open descriptor of a regular file, and closes it at the end.
  ///
  /// - Throws: `unreadable` if it is not a regular file.
  public init(takingDescriptor descriptor: CInt) throws(MediaFailure) {
    let status: FileStatus
    do throws(MediaFailure) { status = try MediaFile.status(of: descriptor) } catch {
      close(descriptor)
      throw error
    }
    guard let handle = mediatool_input_new(descriptor, Int64(status.bytes)) else {
      close(descriptor)
      throw .outOfMemory()
    }
    self.shared = InputHandle(owning: handle)
    self.size = status.bytes
  }

  /// Takes over bytes that were appended to a sealed memory file.
  /// - Throws: `unreadable`, `outOfMemory`.
  public init(_ memory: consuming MemoryFile) throws(MediaFailure) {
    try self.init(takingDescriptor: memory.finish())
  }

  /// Copies bytes in memory.
  public init(bytes: [UInt8]) throws(MediaFailure) {
    let handle = bytes.withUnsafeBytes { mediatool_input_new_memory($0.baseAddress, $0.count) }
    guard let handle else { throw .outOfMemory() }
    self.shared = InputHandle(owning: handle)
    self.size = bytes.count
  }

  /// Asks for its bytes when they are needed.
  /// - Parameters:
  ///   - size: Size in bytes.
  ///   - ask: The bytes at an offset, as many as are asked for; nil if they cannot be had. Called on the thread that reads, for up to 1 MiB inside
  ///     the file.
  package init(size: Int, ask: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) throws(MediaFailure) {
    let context = Unmanaged.passRetained(ByteReadCallback(ask: ask))
    let handle = mediatool_input_new_asked(
      Int64(size), ByteReadCallback.copy, ByteReadCallback.release, context.toOpaque())
    guard let handle else { throw .outOfMemory() }
    self.shared = InputHandle(owning: handle)
    self.size = size
  }

  /// Total bytes read so far.
  public var bytesRead: Int { Int(mediatool_input_bytes_read(handle)) }

  /// Sets a deadline after which reads fail with `timedOut`, including reads from C.
  package func set(deadline: Deadline) {
    mediatool_input_set_deadline(handle, deadline.nanosecondsLeft)
  }

  /// Removes the deadline.
  package func clearDeadline() {
    mediatool_input_set_deadline(handle, .max)
  }

  /// Returns up to `count` bytes from `offset`; fewer only at the end of the file.
  ///
  /// - Throws: `unreadable` on a read error, `timedOut` after the deadline.
  package func read(at offset: Int, count: Int) throws(MediaFailure) -> [UInt8] {
    try shared.read(at: offset, count: count)
  }

  /// A reader over the whole file for header parsers.
  func reader() -> ByteReader {
    let shared = shared
    return ByteReader(count: size) { (offset, count) throws(MediaFailure) in
      try shared.read(at: offset, count: count)
    }
  }
}
