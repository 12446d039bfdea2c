public import FileSupport

/// A catalogue, a store of renditions, originals and drafts, that belong together.
///
/// One process writes at a time, which ``open(at:for:options:)`` makes sure of; any number reads meanwhile.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Access: Sendable {
    /// Reading; there has to be one.
    case reading
    /// Writing; one is made when there is none. Fails with ``LibraryError/Code/locked`` while another process writes.
    case writing
  }

  /// What a library does beside keeping what it is given.
  public struct Options: Sendable {
    /// A folder, best on another disk, where renditions and originals are kept a second time, and from which they are repaired (R-MYM-22).
    /// Nil for none, the default.
    public var copy: PathBytes?
    /// Whether the places of files are kept. Default true; without, none is stored, in facts neither (R-MYM-27).
    public var keepsLocations = true
    /// Seconds that a call waits for other processes that use the library. Default 10.
    public var patience = 10.0

    /// The defaults.
    public init() {}
  }

  /// Where it lies.
  public let location: LibraryLocation
  /// What it was opened for.
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

  /// Opens a library. What was being erased when a process died is erased first.
  public static func open(
    at location: LibraryLocation, for access: Access, options: Options = Options()
  ) throws(LibraryError) -> Library {
    if access == .reading, StoreFiles.size(location.catalogue) == nil {
      throw LibraryError(.notFound, "The library does not exist.", detail: "\(location.catalogue)")
    }
    // The database takes its path as text.
    guard String(validating: location.data.bytes, as: UTF8.self) != nil else {
      throw LibraryError(.invalidRequest, "The path of a library must be valid UTF-8.", detail: "\(location.data)")
    }
    let lock = access == .writing ? try WriterLock(folder: location.data) : nil
    // For this user alone, whoever may read the folder; the database gives its log the same permissions.
    if access == .writing {
      FileSystem.release(
        try StoreFiles.mapping("create \(location.catalogue)") { () throws(FileError) in
          try FileSystem.openForUpdate(location.catalogue, followsLinks: true)
        })
    }
    let database = try SQLiteCatalogue(
      path: location.catalogue, access: access, options: options,
      store: DirectoryStore(folder: location.renditions))
    let library = Library(location: location, access: access, options: options, database: database, lock: lock)
    if access == .writing { try library.finishErasures() }
    return library
  }

  private init(
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
