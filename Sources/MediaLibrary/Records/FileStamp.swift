public import FileSupport

/// A file in a catalogue, for as long as the catalogue lives: kept over renames and changes of content.
public struct FileID: RawRepresentable, Hashable, Sendable, Comparable, Codable {
  /// The number of the row.
  public let rawValue: Int64
  /// The file of that number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Ordered by age in the catalogue.
  public static func < (one: FileID, other: FileID) -> Bool { one.rawValue < other.rawValue }
}

/// What a walk knows of a file without opening it.
public struct FileStamp: Hashable, Sendable {
  /// Where it is: absolute.
  public var path: PathBytes
  /// The device that holds it (`st_dev`).
  public var device: UInt64
  /// Its number on the device (`st_ino`).
  public var inode: UInt64
  /// Bytes.
  public var size: Int64
  /// The last write, in nanoseconds since 1970 (`st_mtim`).
  public var modified: Int64
  /// The last change of any kind, in nanoseconds since 1970 (`st_ctim`): no file holds an image that was taken after it (docs/decisions/0031).
  public var changed: Int64

  /// A stamp of those facts.
  public init(path: PathBytes, device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    (self.path, self.device, self.inode) = (path, device, inode)
    (self.size, self.modified, self.changed) = (size, modified, changed)
  }

  /// Whether the content can be taken to be the same: number, size and last write are. ``changed`` is left out, for a rename and a `chmod` change
  /// it too; and ``device``, for many a disk has another number each time that it is mounted.
  public func sameContent(as other: FileStamp) -> Bool {
    inode == other.inode && size == other.size && modified == other.modified
  }
}
