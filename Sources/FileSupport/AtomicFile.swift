internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that is written beside its place, synced, and moved there: whoever looks sees the old file or the new one, never a part.
///
/// Until ``commit()`` nothing is at the path that was not there before; a value that goes without it, or a process that is killed, leaves
/// the old file as it was. After it the new file is on the disk, with its name. What stands at the path and is no regular file (a symbolic
/// link, a folder, a pipe, a device) is neither replaced nor written through. Blocking; not for use from two threads at once.
public struct AtomicFile: ~Copyable {
  /// Who may use a new file.
  public enum Permissions: Hashable, Sendable {
    /// The user may write and everybody may read, less what the process's umask takes away. Nobody else may ever write.
    case shared
    /// The user alone.
    case userOnly

    var mode: mode_t { self == .shared ? 0o644 : 0o600 }
  }

  /// The path that it gets.
  public let path: PathBytes
  private let beside: PathBytes
  /// Closed, and nothing to take away: -1.
  package private(set) var descriptor: CInt

  private static let count = Atomic<Int>(0)
  private static let prefix = ".mediatool-"

  /// Begins to write the file of a path, in a hidden file beside it.
  /// - Throws: ``FileError`` of the system; ``FileError/isInTheWay`` where something stands at the path that is no regular file.
  public init(at path: PathBytes, permissions: Permissions = .shared) throws(FileError) {
    try Self.check(path)
    let folder = Self.folder(of: path)
    var beside: PathBytes
    var descriptor: CInt
    repeat {
      // The number of the process may come again after it was killed, as that of every process in a container of its own; then the next count
      // is free.
      let number = Self.count.add(1, ordering: .relaxed).newValue
      beside = folder.appending("\(Self.prefix)\(getpid())-\(number).tmp".utf8)
      descriptor = beside.withCString {
        openat(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions.mode)
      }
    } while descriptor < 0 && errno == EEXIST
    guard descriptor >= 0 else { throw .last }
    (self.path, self.beside, self.descriptor) = (path, beside, descriptor)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    _ = beside.withCString { unlink($0) }
  }

  /// Adds bytes to its end.
  public func append(_ bytes: [UInt8]) throws(FileError) { try FileSystem.append(bytes, to: descriptor) }

  /// Syncs the file, moves it to its place, and syncs the folder.
  /// - Throws: ``FileError``; then nothing has changed at the path. Only a failure of the last step comes too late for that.
  public consuming func commit() throws(FileError) {
    let path = self.path
    try commit(to: path)
  }

  /// The same at another path of the same file system: for a file whose name follows from its content.
  package consuming func commit(to path: PathBytes) throws(FileError) {
    try FileSystem.sync(descriptor)
    // Network file systems report some errors only here.
    let isClosed = close(descriptor) == 0
    descriptor = -1
    do throws(FileError) {
      guard isClosed else { throw .last }
      // Once more: writing may have taken long.
      try Self.check(path)
      try FileSystem.move(beside, to: path)
    } catch {
      _ = beside.withCString { unlink($0) }
      throw error
    }
    try FileSystem.syncFolder(Self.folder(of: path))
  }

  /// Puts bytes into the file of a path, in place of what is there.
  /// - Throws: As ``init(at:permissions:)`` and ``commit()``.
  public static func write(
    _ bytes: [UInt8], to path: PathBytes, permissions: Permissions = .shared
  ) throws(FileError) {
    let file = try AtomicFile(at: path, permissions: permissions)
    try file.append(bytes)
    try file.commit()
  }

  /// Whether a name is one that a file has while it is written. What is left of a write that was cut off is called so.
  package static func isTemporary(_ name: some Collection<UInt8>) -> Bool {
    name.starts(with: prefix.utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }

  /// Whether a name may be that of a file that this process is writing.
  package static func isWrittenHere(_ name: some Collection<UInt8>) -> Bool {
    name.drop { $0 != UInt8(ascii: "-") }.starts(with: "-\(getpid())-".utf8)
  }

  private static func folder(of path: PathBytes) -> PathBytes {
    let folder = path.folder
    return folder.bytes.isEmpty ? PathBytes(".") : folder
  }

  /// Refuses a place that something holds which is no regular file.
  private static func check(_ path: PathBytes) throws(FileError) {
    // The system would take a path to end at a NUL.
    guard !path.hasNUL, !path.name.isEmpty else { throw FileError(code: EINVAL) }
    let kind: FileKind
    do throws(FileError) { kind = try FileStatus(at: path, followsLinks: false).kind } catch {
      if error.code == ENOENT { return }
      throw error
    }
    switch kind {
    case .file: return
    case .folder: throw FileError(code: EISDIR)
    case .link, .pipe, .socket, .device: throw FileError(code: EEXIST)
    }
  }
}
