internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that appears at its path only when it is complete: written next to the path, synced, then renamed.
///
/// Until ``commit()`` the path is unchanged, also if the value is dropped or the process is killed. After it the new file and its name are on
/// the disk. A symbolic link, a folder, a pipe or a device at the path is neither replaced nor written through. Blocking; not for concurrent
/// use by two threads.
public struct AtomicFile: ~Copyable {
  /// The permissions of a new file.
  public enum Permissions: Hashable, Sendable {
    /// Mode 0644 less the umask: the user writes, everybody reads. Group and others can never write.
    case shared
    /// Mode 0600: only the user reads and writes.
    case userOnly

    var mode: mode_t { self == .shared ? 0o644 : 0o600 }
  }

  /// The destination, relative to the folder that was given, if any.
  public let path: PathBytes
  private let beside: PathBytes
  /// The folder to which both paths are relative; nil for the working folder.
  private let folder: FolderHandle?
  /// -1 when the file is closed and there is no temporary file to remove.
  package private(set) var descriptor: CInt

  private static let count = Atomic<Int>(0)
  private static let prefix = ".mediatool-"

  /// Creates the temporary file, hidden and in the folder of the destination.
  /// - Throws: ``FileError`` of the system; ``FileError/isInTheWay`` if the path exists and is not a regular file.
  public init(at path: PathBytes, permissions: Permissions = .shared) throws(FileError) {
    try self.init(path, in: nil, permissions)
  }

  /// Creates the temporary file in an open folder. No link is followed on the way to it.
  /// - Throws: As ``init(at:permissions:)``; `EINVAL` for a name with a slash in it.
  package init(
    named name: ArraySlice<UInt8>, in folder: FolderHandle, permissions: Permissions = .shared
  ) throws(FileError) {
    guard !name.contains(PathBytes.slash) else { throw FileError(code: EINVAL) }
    try self.init(PathBytes(name), in: folder, permissions)
  }

  private init(_ path: PathBytes, in folder: FolderHandle?, _ permissions: Permissions) throws(FileError) {
    let base = folder?.descriptor ?? AT_FDCWD
    try Self.check(path, in: base)
    var beside: PathBytes
    var descriptor: CInt
    repeat {
      // Process ids are reused, for example by each container with a PID namespace of its own; a file of a killed process may have this name.
      // The next count is free then.
      let number = Self.count.add(1, ordering: .relaxed).newValue
      beside = path.folder.appending("\(Self.prefix)\(getpid())-\(number).tmp".utf8)
      descriptor = beside.withCString {
        openat(base, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions.mode)
      }
    } while descriptor < 0 && errno == EEXIST
    guard descriptor >= 0 else { throw .last }
    (self.path, self.beside, self.descriptor, self.folder) = (path, beside, descriptor, folder)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    removeBeside()
  }

  private var base: CInt { folder?.descriptor ?? AT_FDCWD }

  private func removeBeside() { _ = beside.withCString { unlinkat(base, $0, 0) } }

  /// Writes bytes at the end of the temporary file. The destination is unchanged until ``commit()``.
  public func append(_ bytes: [UInt8]) throws(FileError) { try FileSystem.append(bytes, to: descriptor) }

  /// Syncs the file, renames it to the destination, and syncs the folder.
  /// - Throws: ``FileError``. The destination is unchanged, unless syncing the folder is what failed.
  public consuming func commit() throws(FileError) {
    let path = self.path
    try commit(to: path)
  }

  /// Commits to another path of the same file system, for a file whose name is a hash of its content.
  /// - Parameter replaces: Whether a file at the path is replaced; otherwise it stays, and ``FileError/isInTheWay`` is thrown.
  package consuming func commit(to path: PathBytes, replaces: Bool = true) throws(FileError) {
    try FileSystem.sync(descriptor)
    // Network file systems report some errors only here.
    let isClosed = close(descriptor) == 0
    descriptor = -1
    do throws(FileError) {
      guard isClosed else { throw .last }
      // Checked again, because writing may have taken long.
      try Self.check(path, in: base)
      if replaces {
        try FileSystem.move(beside, to: path, in: base)
      } else {
        try FileSystem.moveToNewName(beside, to: path, in: base)
      }
    } catch {
      removeBeside()
      throw error
    }
    if let folder { try folder.sync() } else { try FileSystem.syncFolder(Self.folder(of: path)) }
  }

  /// Replaces the content of the file at a path in one step.
  /// - Throws: As ``init(at:permissions:)`` and ``commit()``.
  public static func write(
    _ bytes: [UInt8], to path: PathBytes, permissions: Permissions = .shared
  ) throws(FileError) {
    let file = try AtomicFile(at: path, permissions: permissions)
    try file.append(bytes)
    try file.commit()
  }

  /// Replaces the content of a file in an open folder in one step.
  /// - Throws: As ``init(named:in:permissions:)`` and ``commit()``.
  package static func write(
    _ bytes: [UInt8], named name: ArraySlice<UInt8>, in folder: FolderHandle, permissions: Permissions = .shared
  ) throws(FileError) {
    let file = try AtomicFile(named: name, in: folder, permissions: permissions)
    try file.append(bytes)
    try file.commit()
  }

  /// Writes a file that does not exist into an open folder in one step.
  /// - Throws: As ``init(named:in:permissions:)``; ``FileError/isInTheWay`` if anything has the name, which stays.
  package static func writeNew(
    _ bytes: [UInt8], named name: ArraySlice<UInt8>, in folder: FolderHandle, permissions: Permissions = .shared
  ) throws(FileError) {
    let file = try AtomicFile(named: name, in: folder, permissions: permissions)
    // Before anything is written and synced; the rename decides.
    if (try? FileStatus(file.path, in: folder.descriptor)) != nil { throw FileError(code: EEXIST) }
    try file.append(bytes)
    let path = file.path
    try file.commit(to: path, replaces: false)
  }

  /// Whether a name is that of a temporary file; an interrupted write leaves one.
  package static func isTemporary(_ name: some Collection<UInt8>) -> Bool {
    name.starts(with: prefix.utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }

  /// Whether a name may be that of a temporary file of this process.
  package static func isWrittenHere(_ name: some Collection<UInt8>) -> Bool {
    name.drop { $0 != UInt8(ascii: "-") }.starts(with: "-\(getpid())-".utf8)
  }

  private static func folder(of path: PathBytes) -> PathBytes {
    let folder = path.folder
    return folder.bytes.isEmpty ? PathBytes(".") : folder
  }

  /// Refuses a path at which there is something other than a regular file, as writing to it would.
  /// - Throws: ``FileError/isInTheWay``, or the error of the system.
  package static func check(_ path: PathBytes) throws(FileError) { try check(path, in: AT_FDCWD) }

  private static func check(_ path: PathBytes, in base: CInt) throws(FileError) {
    // The system would take a path to end at a NUL.
    guard !path.hasNUL, !path.name.isEmpty else { throw FileError(code: EINVAL) }
    let kind: FileStatus.Kind
    do throws(FileError) { kind = try FileStatus(path, in: base).kind } catch {
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
