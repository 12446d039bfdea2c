#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What stands at a path.
public enum FileKind: Hashable, Sendable {
  /// A regular file.
  case file
  /// A directory.
  case folder
  /// A symbolic link.
  case link
  /// A FIFO.
  case pipe
  /// A socket.
  case socket
  /// A device, or what only this system has.
  case device
}

/// What the system says of a file without opening it: which file it is, and in what state. Two equal values are the same file, unchanged.
public struct FileStatus: Hashable, Sendable {
  /// What it is.
  public let kind: FileKind
  /// Which file it is.
  public let identity: FileIdentity
  /// Size in bytes.
  public let bytes: Int
  /// Nanoseconds since 1970 of the last write.
  public let modified: Int
  /// Nanoseconds since 1970 of the last change of any kind, which nobody can set.
  public let changed: Int

  /// The file system that it lies on; see ``FileIdentity/device``.
  public var device: UInt64 { identity.device }
  /// Its number there.
  public var inode: UInt64 { identity.inode }

  /// What the system says of a path.
  /// - Parameter followsLinks: Whether a link is followed, which is the default; else the status is of the link itself.
  public init(at path: PathBytes, followsLinks: Bool = true) throws(FileError) {
    var status = stat()
    guard path.withCString({ followsLinks ? stat($0, &status) : lstat($0, &status) }) == 0 else { throw .last }
    self.init(status)
  }

  /// What the system says of an open file.
  public init(descriptor: Int32) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    self.init(status)
  }

  /// What the system says of a name in an open folder, itself and not where it leads.
  init(_ name: UnsafePointer<CChar>, in folder: CInt, followsLinks: Bool = false) throws(FileError) {
    var status = stat()
    guard fstatat(folder, name, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    default: kind = .device
    }
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    bytes = Int(status.st_size)
    #if canImport(Darwin)
    modified = Self.nanoseconds(status.st_mtimespec)
    changed = Self.nanoseconds(status.st_ctimespec)
    #else
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  /// Whole seconds of so many nanoseconds, rounded down on both sides of 1970.
  package static func seconds(ofNanoseconds nanoseconds: Int) -> Int {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// A file system may hold any number of seconds; 292 years to each side of 1970 can be told apart.
  private static func nanoseconds(_ time: timespec) -> Int {
    let (seconds, isTooLarge) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLargeToo) = seconds.addingReportingOverflow(time.tv_nsec)
    return isTooLarge || isTooLargeToo ? (time.tv_sec < 0 ? .min : .max) : sum
  }
}
