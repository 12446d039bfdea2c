public import FileSupport

/// The id of a file in a catalogue; stays when the file is renamed or its content changes.
public struct FileID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// Number of the row.
  public let rawValue: Int64
  /// The file with this number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Older files in the catalogue come first.
  public static func < (one: FileID, other: FileID) -> Bool { one.rawValue < other.rawValue }
}

/// What a walk knows of a file without opening it.
public struct FileStamp: Hashable, Sendable {
  /// The absolute path.
  public var path: PathBytes
  /// The device (`st_dev`).
  public var device: UInt64
  /// The inode number on the device (`st_ino`).
  public var inode: UInt64
  /// Size in bytes.
  public var size: Int64
  /// Time of the last write, in nanoseconds since 1970 (`st_mtim`).
  public var modified: Int64
  /// Time of the last change of any kind, in nanoseconds since 1970 (`st_ctim`). A later capture time is wrong (docs/decisions/0031).
  public var changed: Int64

  /// A stamp with these values.
  public init(path: PathBytes, device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    (self.path, self.device, self.inode) = (path, device, inode)
    (self.size, self.modified, self.changed) = (size, modified, changed)
  }

  /// Whether the content is probably the same: inode, size and last write are equal. Ignores ``changed``, which a rename and a `chmod` change too,
  /// and ``device``, because many disks get another number at each mount.
  public func sameContent(as other: FileStamp) -> Bool {
    inode == other.inode && size == other.size && modified == other.modified
  }
}
