public import AttachmentPolicy
public import FileSupport

/// The rows that a catalogue is to erase, and what belongs to them outside of it. ``Library/erase(_:wiping:progress:)`` makes it.
public struct ErasureRequest: Sendable {
  /// The rows to erase.
  public var scope: Scope
  /// The folder of originals that the library owns: the bytes of files in it are erased too.
  public var originals: PathBytes
  /// The owner's folder in ``originals``, if an owner is erased; files in it without an owner are erased too.
  public var ownerOriginals: PathBytes?
  /// Whether to erase everything left in ``ownerOriginals``, with or without rows.
  public var sweepsOwnerOriginals = false
  /// The attachments of drafts; those made from erased files are noted.
  public var attachments: [Attachment] = []
  /// Whether the owner who is erased has drafts, which are noted.
  public var hasOwnerDrafts = false
  /// Whether to note that the database must be wiped (``MediaCatalogue/wipe()``).
  public var wiping: Bool
  /// Called with the progress, on the thread that erases, also within its transaction: it must not use the library. Nil: nobody asks.
  public var progress: (@Sendable (Progress) -> Void)?
  /// The rows that one statement deletes or reads.
  var pageSize = standardPageSize
  /// The files and moments that are searched for in a snapshot at a time. The ids of moments are collected again for each page, so it has more of them.
  var snapshotPageSize = 10_000
  /// Default of ``pageSize``.
  static let standardPageSize = 1_000

  /// A request to erase some rows.
  public init(_ scope: Scope, originals: PathBytes, wiping: Bool = true) {
    (self.scope, self.originals, self.wiping) = (scope, originals, wiping)
  }
}

extension ErasureRequest {
  /// Data outside a catalogue that must be erased because its rows were.
  public struct Note: Sendable, Identifiable {
    /// The data to erase.
    public enum Remains: Hashable, Sendable {
      /// The bytes at a path, or everything left in a folder of originals.
      case original(PathBytes)
      /// An attachment of a draft: the draft's key in JSON, and the attachment's id.
      case attachment(draft: String, item: MediaAttachment.ID)
      /// The drafts that were saved as those of an owner.
      case drafts(owner: String)
    }

    /// Identifies the row of the note, which is removed once the data is erased.
    public var id: Int64
    /// The data to erase.
    public var remains: Remains

    /// A note with this number.
    public init(id: Int64, remains: Remains) { (self.id, self.remains) = (id, remains) }
  }

  /// Numbers of rows that an erasure removed.
  public struct ErasedRows: Hashable, Sendable {
    /// Number of files.
    public var files: Int
    /// Number of collections.
    public var collections: Int
    /// Number of moments.
    public var moments: Int
    /// Number of trips.
    public var trips: Int
    /// Number of reports that an owner made as a reader.
    public var reports: Int
    /// Number of verdicts on contents that no other file has.
    public var verdicts = 0
    /// Number of moments without a file; they are among ``moments``, too.
    public var notes = 0
    /// Number of locations of these files and moments that were on maps.
    public var locations = 0

    /// The numbers of removed rows.
    public init(files: Int, collections: Int, moments: Int = 0, trips: Int = 0, reports: Int = 0) {
      (self.files, self.collections, self.moments, self.trips) = (files, collections, moments, trips)
      self.reports = reports
    }

    /// Number of all removed rows.
    var count: Int { files + collections + moments + trips + reports }
  }
}
