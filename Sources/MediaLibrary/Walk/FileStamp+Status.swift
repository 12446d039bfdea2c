internal import Glibc

extension FileStamp {
  /// What a walk saw of the file at a path.
  package init(path: PathBytes, status: FileStatus) {
    self.init(
      path: path, device: status.device, inode: status.inode, size: Int64(status.bytes),
      modified: Int64(status.modified), changed: Int64(status.changed))
  }

  /// What the system says of a regular file; nil when there is none. A link is none.
  package init?(at path: PathBytes) {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(path: path, status: FileStatus(status))
  }

  /// Whether the file that was there still is, whatever number its device has now.
  package var isThere: Bool {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else {
      // Only a clear answer counts: what may not be looked at is not gone.
      return errno != ENOENT && errno != ENOTDIR
    }
    return UInt64(status.st_ino) == inode
  }
}
