package import FileSupport

extension FileStamp {
  /// The stamp of a file that a walk found.
  package init(path: PathBytes, status: FileStatus) {
    self.init(
      path: path, device: status.device, inode: status.inode, size: Int64(status.bytes),
      modified: Int64(status.modified), changed: Int64(status.changed))
  }

  /// The stamp of the regular file at a path; nil if there is none, or a link.
  package init?(at path: PathBytes) {
    guard let status = try? FileStatus(at: path, followsLinks: false), status.kind == .file else { return nil }
    self.init(path: path, status: status)
  }

  /// Whether the file is still at its path. Ignores the device's number, which may change at each mount.
  package var isThere: Bool {
    do throws(FileError) {
      return try FileStatus(at: path, followsLinks: false).inode == inode
    } catch {
      // Only a clear answer counts: a file that cannot be accessed may still exist.
      return !error.isNotFound
    }
  }
}
