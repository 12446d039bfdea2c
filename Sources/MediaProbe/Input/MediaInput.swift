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
  public init(path: String) throws(MediaFailure) {
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
      throw MediaFailure(.outOfMemory, "There is not enough memory.")
    }
    self.shared = InputHandle(owning: handle)
    self.size = Int(status.st_size)
  }

  /// Bytes in memory, copied.
  public init(bytes: [UInt8]) throws(MediaFailure) {
    let handle = bytes.withUnsafeBytes { mediatool_input_new_memory($0.baseAddress, $0.count) }
    guard let handle else { throw MediaFailure(.outOfMemory, "There is not enough memory.") }
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

/// Owner of the C side of one open file.
///
/// A class, because readers share it: a closure cannot capture a borrowed ``MediaInput``, and a container in C reads for as long
/// as it lives. The last of them closes the file.
package final class InputHandle {
  package let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { mediatool_input_free(pointer) }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  func read(at offset: Int, count: Int) throws(MediaFailure) -> [UInt8] {
    let size = Int(mediatool_input_size(pointer))
    guard offset >= 0, count > 0, offset < size else { return [] }
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: min(count, size - offset)) { buffer, filled in
      result = Int(mediatool_input_read(pointer, Int64(offset), buffer.baseAddress, buffer.count))
      filled = max(0, result)
    }
    if result < 0 { throw .reading(pointer) }
    return bytes
  }
}

extension MediaFailure {
  static func opening(_ error: CInt) -> MediaFailure {
    let detail = String(cString: strerror(error))
    switch error {
    case ENOENT, ENOTDIR: return MediaFailure(.notFound, "There is no such file.", detail: detail)
    case EACCES, EPERM: return MediaFailure(.accessDenied, "The file may not be read.", detail: detail)
    default: return MediaFailure(.unreadable, "The file cannot be opened.", detail: detail)
    }
  }

  static func notRegular(_ mode: mode_t) -> MediaFailure {
    let what =
      switch mode & S_IFMT {
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    return MediaFailure(.unreadable, "It is \(what), not a file.")
  }

  static func reading(_ handle: OpaquePointer) -> MediaFailure {
    mediatool_input_timed_out(handle)
      ? MediaFailure(.timedOut, "The deadline passed.")
      : MediaFailure(.unreadable, "The file cannot be read to its end.")
  }
}
