package import FileSupport

extension FileStamp {
  /// What a walk saw of the file at a path.
  package init(path: PathBytes, status: FileStatus) {
    self.init(
      path: path, device: status.device, inode: status.inode, size: Int64(status.bytes),
      modified: Int64(status.modified), changed: Int64(status.changed))
  }

  /// What the system says of a regular file; nil when there is none. A link is none.
  package init?(at path: PathBytes) {
    guard let status = try? FileStatus(at: path, followsLinks: false), status.kind == .file else { return nil }
    self.init(path: path, status: status)
  }

  /// Whether the file that was there still is, whatever number its device has now.
  package var isThere: Bool {
    do throws(FileError) {
      return try FileStatus(at: path, followsLinks: false).inode == inode
    } catch {
      // Only a clear answer counts: what may not be looked at is not gone.
      return !error.isNotFound
    }
  }
}
