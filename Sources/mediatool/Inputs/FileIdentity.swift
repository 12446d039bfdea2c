internal import Glibc

/// What tells one file from every other, whatever its path.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The folder at `path`; nil when there is none.
  init?(ofFolder path: RawPath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.init(status)
  }
}
