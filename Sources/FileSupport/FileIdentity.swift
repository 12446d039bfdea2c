/// The identity of a file or folder, independent of its path: paths with equal identities refer to the same file.
public struct FileIdentity: Hashable, Sendable {
  /// The file system (`st_dev`). Some file systems get a new number each time they are mounted.
  public let device: UInt64
  /// The inode number in that file system (`st_ino`).
  public let inode: UInt64

  /// The identity of these two numbers.
  public init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  /// The identity of the folder at a path, links followed; nil if there is no folder.
  public init?(ofFolder path: PathBytes) {
    guard let status = try? FileStatus(at: path), status.kind == .folder else { return nil }
    self = status.identity
  }
}
