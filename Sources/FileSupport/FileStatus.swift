#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension FileStatus {
  /// The type of a file, as `stat` reports it.
  public enum Kind: Hashable, Sendable {
    /// A regular file (`S_IFREG`).
    case file
    /// A directory (`S_IFDIR`).
    case folder
    /// A symbolic link (`S_IFLNK`): only if the status was read without following it.
    case link
    /// A named pipe (`S_IFIFO`).
    case pipe
    /// A Unix domain socket (`S_IFSOCK`).
    case socket
    /// A device, or a type that only this system has.
    case device
  }
}

/// What `stat` reports of a file without opening it. Equal values mean the same file, unchanged.
public struct FileStatus: Hashable, Sendable {
  /// The file's type.
  public let kind: Kind
  /// The file's identity, independent of its path.
  public let identity: FileIdentity
  /// Size in bytes.
  public let bytes: Int
  /// Time of the last write, in nanoseconds since 1970 (`st_mtime`). Programs can set it.
  public let modified: Int
  /// Time of the last change of content or attributes, in nanoseconds since 1970 (`st_ctime`). No program can set it.
  public let changed: Int

  /// The file system; see ``FileIdentity/device``.
  public var device: UInt64 { identity.device }
  /// The inode number (`st_ino`), which is unique on the device.
  public var inode: UInt64 { identity.inode }

  /// The status of a path.
  /// - Parameter followsLinks: Whether a symbolic link is followed, which is the default; if not, the status is of the link.
  public init(at path: PathBytes, followsLinks: Bool = true) throws(FileError) {
    var status = stat()
    guard path.withCString({ followsLinks ? stat($0, &status) : lstat($0, &status) }) == 0 else { throw .last }
    self.init(status)
  }

  /// The status of an open file.
  public init(descriptor: Int32) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    self.init(status)
  }

  /// The status of a path relative to an open folder; of a link itself.
  init(_ path: PathBytes, in folder: CInt) throws(FileError) {
    var status = stat()
    guard path.withCString({ fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { throw .last }
    self.init(status)
  }

  /// The status of a name in an open folder; of a link itself, unless links are followed.
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

  /// Nanoseconds as whole seconds, rounded down before and after 1970.
  package static func seconds(ofNanoseconds nanoseconds: Int) -> Int {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// A file system may store any number of seconds; this value covers 292 years on each side of 1970, and is clamped beyond.
  private static func nanoseconds(_ time: timespec) -> Int {
    let (seconds, isTooLarge) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLargeToo) = seconds.addingReportingOverflow(time.tv_nsec)
    return isTooLarge || isTooLargeToo ? (time.tv_sec < 0 ? .min : .max) : sum
  }
}
