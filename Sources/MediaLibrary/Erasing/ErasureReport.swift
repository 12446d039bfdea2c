/// What is to be forgotten (R-MYM-12, R-MYM-24).
public enum ErasureScope: Hashable, Sendable {
  /// A file.
  case file(FileID)
  /// Some files, all of them or none.
  case files([FileID])
  /// A collection of an owner, with its files.
  case collection(String, owner: String)
  /// An owner, with all files and collections.
  case owner(String)
  /// All files that are not where they were.
  case vanished
}

/// What was erased. All zero when there was nothing, as the second time.
public struct ErasureReport: Hashable, Codable, Sendable {
  /// Files that the catalogue knows no more.
  public var files = 0
  /// Collections that are no more.
  public var collections = 0
  /// Originals that the library owned, and their copies.
  public var originals = 0
  /// Bytes of these originals.
  public var originalBytes = 0
  /// Renditions that no other file has.
  public var renditions = 0
  /// Attachments that drafts had of these files.
  public var attachments = 0
  /// Whether nothing of it can be read in the files of the catalogue any more. False without wiping, on a full disk, and while another process was reading an
  /// older state all the time; then the next call makes it true.
  public var isWiped = false
  /// Snapshots that cannot be read, and catalogues that a rebuild set aside: they may still name what was erased. ``isWiped`` is false while there are any.
  public var notErased: [String] = []
}
