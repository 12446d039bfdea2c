public import FileSupport
public import MediaModel

/// What a scan has to know of a file that is in the catalogue: small, and without its facts.
public struct KnownFile: Hashable, Sendable {
  /// Its row.
  public var id: FileID
  /// What a walk saw when it was last looked at.
  public var stamp: FileStamp
  /// How far it is.
  public var state: FileState
  /// How far it was before it vanished; ``state`` of any other.
  public var stateBefore: FileState
  /// Why it failed, the last time that it did.
  public var failure: MediaFailure.Code?
  /// How often it failed since it last changed.
  public var attempts: Int
  /// The engine that looked into it last, and its version; empty before the first time.
  public var engine: String
  /// What was asked for then.
  public var recipe: String
}

/// A file that a walk saw, beside what the catalogue knows.
public enum FileStanding: Hashable, Sendable {
  /// Neither this path nor this file is known.
  case unknown
  /// Known at this path, with the same file, size and last write.
  case unchanged(KnownFile)
  /// Known at this path, and another file, size or last write now.
  case changed(KnownFile)
  /// What is known at this path, if anything, is another file; but a file of this number, size and last write is known at another path. If nothing
  /// is at that other path any more, it was moved (``CatalogueChange/moved(_:to:)``); else, on the same device, this is another name of it
  /// (``CatalogueChange/linked(_:to:)``).
  case elsewhere(KnownFile)
}

/// A folder that the catalogue has rows of.
public struct KnownFolder: Hashable, Sendable {
  /// Where it is.
  public var path: PathBytes
  /// What the scan that finished it made of its listing; nil when it was never finished, or something in it changed since other than by a
  /// scan that finished it.
  public var fingerprint: UInt64?
}
