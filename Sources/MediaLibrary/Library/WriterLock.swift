package import FileSupport
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The exclusive right to write to a library. The system releases it when the process dies.
///
/// Two locks: one on the folder, which cannot be removed while the library is in it, and one on the file `.writer` in it, for file systems that
/// do not lock folders and for earlier versions. A second process is refused even if somebody removes the file.
package final class WriterLock: Sendable {
  private let descriptors: Mutex<[CInt]>

  package init(folder: PathBytes) throws(LibraryError) {
    try StoreFiles.makeFolder(folder)
    var held: [CInt] = []
    do throws(LibraryError) {
      if let descriptor = try Self.lockFolder(folder) { held.append(descriptor) }
      let file = try Self.lockFile(in: folder)
      held.append(file)
      // The process id is for the message of a refused process; nothing depends on it. Its time says since when somebody writes.
      let number = Array("\(getpid())".utf8)
      ftruncate(file, 0)
      pwrite(file, number, number.count, 0)
    } catch {
      for descriptor in held { close(descriptor) }
      throw error
    }
    descriptors = Mutex(held)
  }

  /// Releases the lock; a second call does nothing.
  package func release() {
    descriptors.withLock {
      for descriptor in $0 { close(descriptor) }
      $0 = []
    }
  }

  deinit { release() }

  // MARK: Taking the locks

  /// - Returns: nil on a file system that does not lock folders.
  private static func lockFolder(_ folder: PathBytes) throws(LibraryError) -> CInt? {
    let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open \(folder)") }
    switch lock(descriptor) {
    case 0: return descriptor
    case EWOULDBLOCK:
      close(descriptor)
      throw taken(in: folder)
    default:
      close(descriptor)
      return nil
    }
  }

  private static func lockFile(in folder: PathBytes) throws(LibraryError) -> CInt {
    let path = file(in: folder)
    // Again if the file is removed or replaced meanwhile: a lock on an unlinked file does not exclude others.
    for _ in 0..<100 {
      let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
      guard descriptor >= 0 else { throw .last("open \(path)") }
      let code = lock(descriptor)
      if code == 0, let one = try? FileStatus(descriptor: descriptor),
        let other = try? FileStatus(at: path, followsLinks: false),
        one.identity == other.identity
      {
        return descriptor
      }
      close(descriptor)
      if code == EWOULDBLOCK { throw taken(in: folder) }
      if code != 0 { throw LibraryError(FileError(code: code), "lock \(path)") }
    }
    throw taken(in: folder)
  }

  /// - Returns: 0, or the error number.
  private static func lock(_ descriptor: CInt) -> CInt {
    // ``since(in:)`` holds a lock for a moment: a second attempt distinguishes it from a writer.
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return 0 }
      if errno == EWOULDBLOCK { usleep(2_000) } else if errno != EINTR { return errno }
    }
    return EWOULDBLOCK
  }

  private static func taken(in folder: PathBytes) -> LibraryError {
    let holder = (try? StoreFiles.start(of: file(in: folder), count: 20)).flatMap { $0 } ?? []
    return LibraryError(
      .locked, "Another process is writing to the library; try again when it has finished.", path: folder,
      detail: holder.isEmpty ? nil : "process \(String(decoding: holder, as: UTF8.self))")
  }

  private static func file(in folder: PathBytes) -> PathBytes { folder.appending(".writer".utf8) }

  // MARK: Looking at them

  /// Since when a process has written to the library without a pause, in nanoseconds since 1970; nil if none does.
  static func since(in folder: PathBytes) -> Int? {
    let path = file(in: folder)
    let flags = O_RDONLY | O_CLOEXEC
    let descriptors = [
      folder.withCString { open($0, flags | O_DIRECTORY) }, path.withCString { open($0, flags | O_NOFOLLOW) },
    ].filter { $0 >= 0 }
    defer { for descriptor in descriptors { close(descriptor) } }
    let isHeld = descriptors.contains { flock($0, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK }
    guard isHeld else { return nil }
    // Without the file the time is unknown: any age counts.
    return (try? FileStatus(at: path, followsLinks: false).modified) ?? .min
  }
}
