internal import CMediaShims
internal import Glibc
public import MediaModel

/// One file, opened once: a descriptor, or bytes in memory. Owns what it was given and releases it at its end.
///
/// Reads are positional (`pread`), so nothing depends on an offset that others could move, and never go through `mmap`:
/// a file that shrinks while it is mapped kills the process that looks at it. Not for use from two threads at once.
public struct MediaInput: ~Copyable {
  /// Size in bytes when it was opened.
  public let size: Int
  /// The C side of the same file, kept alive by every reader over it.
  package let shared: InputHandle
  /// The C side of the same file, for readers in C; valid as long as this value or ``shared``.
  package var handle: OpaquePointer { shared.pointer }

  /// Opens a regular file.
  ///
  /// The path is looked at before it is opened, so that a FIFO or a device is never opened at all.
  /// - Throws: `notFound`, `accessDenied`, `unreadable`.
  public init(path: String) throws(MediaFailure) { try self.init(pathBytes: Array(path.utf8)) }

  /// Opens a regular file whose name need not be UTF-8; otherwise as ``init(path:)``.
  public init(pathBytes: [UInt8]) throws(MediaFailure) {
    let path = pathBytes.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard stat(path, &status) == 0 else { throw .opening(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(status.st_mode) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .opening(errno) }
    try self.init(takingDescriptor: descriptor)
  }

  /// Takes over an open descriptor of a regular file, and closes it at the end.
  /// - Throws: `unreadable` when it is something else.
  public init(takingDescriptor descriptor: CInt) throws(MediaFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .opening(code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegular(status.st_mode)
    }
    guard let handle = mediatool_input_new(descriptor, Int64(status.st_size)) else {
      close(descriptor)
      throw .outOfMemory()
    }
    self.shared = InputHandle(owning: handle)
    self.size = Int(status.st_size)
  }

  /// Bytes in memory, copied.
  public init(bytes: [UInt8]) throws(MediaFailure) {
    let handle = bytes.withUnsafeBytes { mediatool_input_new_memory($0.baseAddress, $0.count) }
    guard let handle else { throw .outOfMemory() }
    self.shared = InputHandle(owning: handle)
    self.size = bytes.count
  }

  /// Bytes read so far, every read counted.
  public var bytesRead: Int { Int(mediatool_input_bytes_read(handle)) }

  /// From now on reads fail with `timedOut` once the deadline has passed, in C as well.
  package func set(deadline: Deadline) {
    mediatool_input_set_deadline(handle, deadline.nanosecondsLeft)
  }

  /// From now on reads take as long as they take.
  package func clearDeadline() {
    mediatool_input_set_deadline(handle, .max)
  }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  /// - Throws: `unreadable` on an input error, `timedOut` past the deadline.
  package func read(at offset: Int, count: Int) throws(MediaFailure) -> [UInt8] {
    try shared.read(at: offset, count: count)
  }

  /// A reader for the header parsers, over the whole file.
  func reader() -> ByteReader {
    let shared = shared
    return ByteReader(count: size) { (offset, count) throws(MediaFailure) in
      try shared.read(at: offset, count: count)
    }
  }
}
