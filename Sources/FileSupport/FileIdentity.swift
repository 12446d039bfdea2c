/// Which file or folder it is, by whatever path it is reached: two paths with the same identity lead to the same bytes.
public struct FileIdentity: Hashable, Sendable {
  /// The file system that it lies on (`st_dev`). Some give themselves another number each time they are mounted.
  public let device: UInt64
  /// Its number there (`st_ino`).
  public let inode: UInt64

  /// An identity of those two numbers.
  public init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  /// The folder at a path, links followed; nil when there is none.
  public init?(ofFolder path: PathBytes) {
    guard let status = try? FileStatus(at: path), status.kind == .folder else { return nil }
    self = status.identity
  }
}
