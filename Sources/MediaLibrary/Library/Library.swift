public import FileSupport
internal import Synchronization

/// A catalogue with its store of renditions, its originals and its drafts.
///
/// One process writes at a time, which ``open(at:for:options:)`` ensures; any number may read meanwhile.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Access: Sendable {
    /// Reading. The library must exist.
    case reading
    /// Writing. The library must exist. Fails with ``LibraryError/Code/locked`` while another process writes.
    case writing
    /// Writing. Creates the library if nothing of it exists, here or in the copy. If only its catalogue is missing, fails with
    /// ``LibraryError/Code/catalogueMissing``. For a scan.
    case creating
  }

  /// Settings of a library.
  public struct Options: Sendable {
    /// A folder, best on another disk, for second copies of renditions and originals, from which these are repaired (R-MYM-22). Default nil: none.
    public var copy: PathBytes?
    /// Whether the folder becomes the copy even if it is empty, has no marker, or has that of another library. Default false: such a folder is
    /// refused, because it may be the mount point of a missing disk. Files of another library's copy are moved into the subfolder `library-ID`, which stays
    /// that library's copy; only a rebuild uses them.
    public var adoptsCopy = false
    /// Whether to store locations. Default true. If false, none is stored, not even within facts (R-MYM-27).
    public var keepsLocations = true
    /// Whether others than their owners see moments of files only once a malware scanner has found the contents clean: in listings, trips, paths and on
    /// maps. Default false: a file without a verdict is shown.
    public var showsOnlyClean = false
    /// Whether a catalogue that lacks an element of its schema (an index, a trigger) can be opened, for ``Library/verify(_:)`` and
    /// ``Library/repair(_:)``. Listings may fail. Default false: opening such a catalogue fails with ``LibraryError/Code/corrupt``.
    public var opensDamaged = false
    /// Seconds to wait for other processes that use the library. Default 10.
    public var patience = 10.0
    /// The least time between two attempts to finish a wipe that another process prevented: after writes.
    var wipingInterval = Duration.seconds(1)

    /// The default options.
    public init() {}
  }

  /// The folders of the library.
  public let location: LibraryLocation
  /// The access for which it was opened.
  public let access: Access
  /// The settings with which it was opened.
  public let options: Options
  /// The facts and labels of its files.
  public let catalogue: any MediaCatalogue
  /// The same catalogue, for a scan of folders.
  public let scanIndex: any ScanIndex
  /// The bytes of its renditions.
  public let store: any RenditionStore
  /// The drafts whose attachments may be files of the library.
  public let drafts: DraftStore

  let database: SQLiteCatalogue
  let renditions: CopiedStore
  let originals: Originals
  /// Scans of this process.
  let scans = Mutex(RunningScans())
  private let lock: WriterLock?

  init(
    location: LibraryLocation, access: Access, options: Options, database: SQLiteCatalogue, lock: WriterLock?
  ) {
    (self.location, self.access, self.options) = (location, access, options)
    (self.database, self.lock) = (database, lock)
    let presence = options.copy.map { CopyAvailability(folder: $0) }
    renditions = CopiedStore(
      main: DirectoryStore(folder: location.renditions),
      copy: options.copy.map { DirectoryStore(folder: $0.appending("renditions".utf8)) },
      presence: presence)
    originals = Originals(
      folder: location.originals, copy: options.copy.map { $0.appending("originals".utf8) },
      presence: presence)
    (catalogue, scanIndex) = (database, database)
    store = renditions
    drafts = DraftStore(folder: location.drafts.description)
  }

  /// Closes the catalogue and releases the writer's lock; later calls fail.
  public func close() throws(LibraryError) {
    database.finishWiping(atOnce: true)
    try database.close()
    lock?.release()
  }
}
