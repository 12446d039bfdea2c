public import FileSupport

/// A catalogue, a store of renditions, originals and drafts, that belong together.
///
/// One process writes at a time, which ``open(at:for:options:)`` makes sure of; any number reads meanwhile.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Access: Sendable {
    /// Reading; there has to be one.
    case reading
    /// Writing; there has to be one. Fails with ``LibraryError/Code/locked`` while another process writes.
    case writing
    /// Writing; one is made where nothing of a library is, neither here nor in the copy. Where anything is left of one but its catalogue is gone,
    /// this fails with ``LibraryError/Code/catalogueMissing``. For a scan.
    case creating
  }

  /// What a library does beside keeping what it is given.
  public struct Options: Sendable {
    /// A folder, best on another disk, where renditions and originals are kept a second time, and from which they are repaired (R-MYM-22).
    /// Nil for none, the default.
    public var copy: PathBytes?
    /// Whether that folder becomes the copy though it is empty, has no marker or has that of another library. Default false: then such a folder is refused, for
    /// it may be the mount point of a disk that is missing.
    public var adoptsCopy = false
    /// Whether the places of files are kept. Default true; without, none is stored, in facts neither (R-MYM-27).
    public var keepsLocations = true
    /// Seconds that a call waits for other processes that use the library. Default 10.
    public var patience = 10.0

    /// The defaults.
    public init() {}
  }

  /// Where it lies.
  public let location: LibraryLocation
  /// What it was opened for: reading or writing.
  public let access: Access
  /// What it does beside.
  public let options: Options
  /// What is known of its files.
  public let catalogue: any MediaCatalogue
  /// The same catalogue, as a walk over folders needs it.
  public let scanIndex: any ScanIndex
  /// The bytes of its renditions.
  public let store: any RenditionStore
  /// The drafts whose attachments may be files of the library.
  public let drafts: DraftStore

  let database: SQLiteCatalogue
  let renditions: CopiedStore
  let originals: Originals
  private let lock: WriterLock?

  init(
    location: LibraryLocation, access: Access, options: Options, database: SQLiteCatalogue, lock: WriterLock?
  ) {
    (self.location, self.access, self.options) = (location, access, options)
    (self.database, self.lock) = (database, lock)
    renditions = CopiedStore(
      main: DirectoryStore(folder: location.renditions),
      copy: options.copy.map { DirectoryStore(folder: $0.appending("renditions".utf8)) })
    originals = Originals(
      folder: location.originals, copy: options.copy.map { $0.appending("originals".utf8) })
    (catalogue, scanIndex) = (database, database)
    store = renditions
    drafts = DraftStore(folder: location.drafts.description)
  }

  /// Closes the catalogue and gives the right to write back; calls after this fail.
  public func close() throws(LibraryError) {
    try database.close()
    lock?.release()
  }
}
