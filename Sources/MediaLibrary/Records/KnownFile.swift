public import FileSupport
public import MediaModel

/// What a scan needs of a file in the catalogue: small, without its facts.
public struct KnownFile: Hashable, Sendable {
  /// Id of the file's row.
  public var id: FileID
  /// The file's state on disk when it was last examined.
  public var stamp: FileStamp
  /// Whether the file is done, has failed or has vanished, as the catalogue has it.
  public var state: CatalogueFile.State
  /// The state before the file vanished; otherwise equal to ``state``.
  public var stateBefore: CatalogueFile.State
  /// Code of the last failure.
  public var failure: MediaFailure.Code?
  /// Number of failures since it last changed.
  public var attempts: Int
  /// The engine that examined it last, with its version; empty before the first time.
  public var engine: String
  /// What was requested then.
  public var recipe: String
}

extension KnownFile {
  /// Whether its renditions were made by earlier rules (`RenditionRevision`).
  package var isOutdated: Bool { RenditionRevision.isOutdated(engine: engine) }
}

extension KnownFile {
  /// A file that a walk found, compared with the catalogue.
  public enum Standing: Hashable, Sendable {
    /// Neither the path nor the file is known.
    case unknown
    /// Known at this path, with the same inode, size and last write.
    case unchanged(KnownFile)
    /// Known at this path, with another inode, size or last write.
    case changed(KnownFile)
    /// A file with this inode, size and last write is known at another path, and the path of this one is unknown or another file's. If the other
    /// path is gone, the file was moved (``CatalogueChange/moved(_:to:)``). Otherwise, on the same device, this is another name of it
    /// (``CatalogueChange/linked(_:to:)``).
    case elsewhere(KnownFile)
  }
}

/// A folder with files in the catalogue.
public struct KnownFolder: Hashable, Sendable {
  /// Where the folder was when it was last scanned.
  public var path: PathBytes
  /// The fingerprint of its listing from the scan that completed it. Nil if no scan has, or if something in it has changed since by other means.
  public var fingerprint: UInt64?
}
