package import Glibc

/// What tells one file from every other, and one state of it from the next.
package struct FileStatus: Hashable, Sendable {
  /// The file system that it lies on. Some give themselves another number each time they are mounted.
  package var device: UInt64
  /// Its number there.
  package var inode: UInt64
  /// Size in bytes.
  package var bytes: Int
  /// Nanoseconds since 1970 of the last write.
  package var modified: Int
  /// Nanoseconds since 1970 of the last change of any kind, which nobody can set.
  package var changed: Int

  /// What the system says of a file.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    bytes = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// Of an open file; nil when the system does not say.
  package init?(descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// A file system may hold any number of seconds; 292 years to each side of 1970 can be told apart.
  private static func nanoseconds(_ time: timespec) -> Int {
    let (seconds, isTooLarge) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLargeToo) = seconds.addingReportingOverflow(time.tv_nsec)
    return isTooLarge || isTooLargeToo ? (time.tv_sec < 0 ? .min : .max) : sum
  }
}

/// What tells one folder from every other, by whatever path it is reached.
package struct FolderIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
