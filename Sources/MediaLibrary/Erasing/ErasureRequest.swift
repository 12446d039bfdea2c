public import AttachmentPolicy
public import FileSupport

/// What a catalogue is to erase, and what outside of it belongs to that. ``Library/erase(_:wiping:)`` makes it.
public struct ErasureRequest: Sendable {
  /// Which rows go.
  public var scope: ErasureScope
  /// The folder of the originals that the library owns: of files in it the bytes go too.
  public var originals: PathBytes
  /// Of an owner the folder in ``originals`` that is theirs; files in it that nobody owns go too.
  public var ownerOriginals: PathBytes?
  /// Whether what is left in ``ownerOriginals`` is to be removed, rows or none.
  public var sweepsOwnerOriginals = false
  /// What drafts hold; those of files that go are noted.
  public var attachments: [HeldAttachment] = []
  /// Whether it is noted that the database has to be wiped (``MediaCatalogue/wipe()``).
  public var wiping: Bool

  /// A request for some rows.
  public init(_ scope: ErasureScope, originals: PathBytes, wiping: Bool = true) {
    (self.scope, self.originals, self.wiping) = (scope, originals, wiping)
  }
}

/// Something outside a catalogue that is to be erased because of rows that were.
public struct ErasureNote: Sendable, Identifiable {
  /// What it is.
  public enum Remains: Hashable, Sendable {
    /// The bytes at a path, or all that is left in a folder of originals.
    case original(PathBytes)
    /// An attachment of a draft: the draft's key in JSON, and the attachment's name.
    case attachment(draft: String, item: MediaAttachment.ID)
  }

  /// Its number among the notes.
  public var id: Int64
  /// What it is.
  public var remains: Remains

  /// A note of that number.
  public init(id: Int64, remains: Remains) { (self.id, self.remains) = (id, remains) }
}

/// How many rows an erasure took.
public struct ErasedRows: Hashable, Sendable {
  /// Files.
  public var files: Int
  /// Collections.
  public var collections: Int

  /// Rows of those numbers.
  public init(files: Int, collections: Int) { (self.files, self.collections) = (files, collections) }
}
