internal import FileSupport
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The exclusive right to write to a library. The system releases it when the process dies.
final class WriterLock: Sendable {
  private let descriptor: Mutex<CInt>

  init(folder: PathBytes) throws(LibraryError) {
    try StoreFiles.makeFolder(folder)
    let path = folder.appending(".writer".utf8)
    let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw .last("open \(path)") }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let isTaken = errno == EWOULDBLOCK
      let failure = LibraryError.last("lock \(path)")
      var holder = [UInt8](repeating: 0, count: 20)
      let count = pread(descriptor, &holder, holder.count, 0)
      close(descriptor)
      guard isTaken else { throw failure }
      throw LibraryError(
        .locked, "Another process is writing to the library; try again when it has finished.",
        detail: count > 0 ? "process \(String(decoding: holder[..<count], as: UTF8.self))" : nil)
    }
    // The process id is for the message of a refused process; nothing depends on it.
    let number = Array("\(getpid())".utf8)
    ftruncate(descriptor, 0)
    pwrite(descriptor, number, number.count, 0)
    self.descriptor = Mutex(descriptor)
  }

  /// Releases the lock; a second call does nothing.
  func release() {
    descriptor.withLock {
      if $0 >= 0 { close($0) }
      $0 = -1
    }
  }

  deinit { release() }
}
