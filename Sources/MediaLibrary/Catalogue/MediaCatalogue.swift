public import FileSupport
public import MediaModel

/// The files of a library as an app queries and labels them: one of the protocols between a library and its database (docs/design.md §2). SQLite
/// implements it; a database for a cluster may. ``ScanIndex`` has what a scan of folders needs in addition.
///
/// Blocking: call it on a thread that may wait, such as those of ``AsyncCatalogue``. A value may be used from many threads. A call loads only
/// the rows that it returns and, unless stated otherwise, reads no others: each listing is one range of one index (see ``CatalogueScope``).
///
/// New, failed, vanished and quarantined files are only in listings that mention them.
public protocol MediaCatalogue: Sendable {
  // MARK: Adding

  /// Adds files that no scan found, such as uploads, completely or not at all. Replaces known files at their paths; quarantined ones stay
  /// quarantined. For some hundred at once.
  /// - Returns: Their ids, in the same order.
  func add(_ files: [AddedFile]) throws(LibraryError) -> [FileID]

  /// Adds renditions of a file, and replaces those of the same name; others of its content stay. Their bytes must be in the store. For renditions
  /// that are made on demand.
  /// - Returns: Whether there is a file with this id. If not, it was erased meanwhile, and its renditions are to be removed with the unused ones
  ///   (``removeUnusedRenditions(limit:_:)``).
  func addRenditions(_ renditions: [StoredRendition], to id: FileID) throws(LibraryError) -> Bool

  // MARK: Listing

  /// The file with this absolute path, byte by byte, in any state; nil if there is none.
  func file(at path: PathBytes) throws(LibraryError) -> CatalogueFile?
  /// The file with this id, in any state; nil if there is none, or if it was erased.
  func file(_ id: FileID) throws(LibraryError) -> CatalogueFile?
  /// The images that the store has of a file's content; empty if there are none, and for an unknown file.
  func renditions(of id: FileID) throws(LibraryError) -> [StoredRendition]
  /// The newest files of a scope in pages, the newest first. Files of the same second are ordered by name, descending.
  func newest(_ scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError)
    -> CatalogueFile.Page
  /// The files at or below a folder by path, in any state but quarantined. Files outside the scope are skipped one by one.
  func files(
    under folder: PathBytes, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page
  /// The files in a state other than ``CatalogueFile/State/done``, in the order in which they were added. Files outside the scope are skipped one by one.
  func files(
    of state: CatalogueFile.State, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page
  /// The failed files, by code and in the order in which they were added; nil for all codes. Files outside the scope are skipped one by one.
  func failures(
    code: MediaFailure.Code?, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page
  /// File contents that more than one file of a scope has, in any state, the largest first. For an owner all files are read, in the order of their
  /// file contents; for other scopes all file contents that more than one file has.
  func duplicates(
    in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Duplicates.Page
  /// The files of a scope with the same content as this one, in any state, including this one if the scope covers it.
  func files(
    sharingContentWith id: FileID, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page
  /// The files of a scope whose name, title or caption has every word of a text as a word or the beginning of one, the newest first. Ignores case
  /// and accents. The index has owner and time; files of other kinds, folders or collections are skipped one by one.
  func search(
    _ text: String, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page
  /// Numbers of files of a scope by state, kind and failure code. Stored for all files and for each owner, of all kinds or some. For a collection,
  /// a folder or times, its files are read, and all that are not done.
  func counts(in scope: CatalogueScope) throws(LibraryError) -> [CatalogueFile.Count]

  // MARK: Locations

  /// The clusters of the files of a scope in bounds (R-MYM-16); empty if there are none. For all files and for an owner, sums are stored; for other
  /// scopes, the files of the scope or of the bounds are read.
  /// - Parameter zoom: 0 shows the world in 256 pixels, each step doubles it, up to 20. Reduced if the bounds would have too many clusters; the
  ///   answer has the zoom that was used.
  func locations(in bounds: LocationMap.Bounds, zoom: Int, of scope: CatalogueScope) throws(LibraryError) -> LocationMap
  /// The members of a cluster that are in a scope, in a stable order: neighbours together, the earliest first at the same position. Files of other
  /// times, kinds, folders or collections are skipped one by one.
  func members(
    of cluster: LocationMap.Cluster.ID, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page

  // MARK: Labels

  /// Sets the owner of files, and the owner's collection to which they belong.
  func assign(_ files: [FileID], owner: String?, collection: MediaCollection.Choice) throws(LibraryError)
  /// Sets the title and the caption of a file, stored unchanged (R-MYM-2); nil removes them.
  func setText(of file: FileID, title: String?, caption: String?) throws(LibraryError)
  /// Sets the location of a file; nil removes it. A scan does not change it back (R-MYM-5, R-MYM-6).
  func setLocation(of file: FileID, _ location: Location?) throws(LibraryError)
  /// Sets labels of many files in their order, completely or not at all, and waits for the disk once. For some thousand at once.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a file does not exist; nothing has changed then.
  func setLabels(_ labels: [(file: FileID, label: CatalogueFile.Label)]) throws(LibraryError)
  /// Creates a collection, or finds it, and opens it: files are added to it until it is closed or another is opened (R-MYM-18).
  func openCollection(_ name: String, owner: String, title: String?, at time: Int) throws(LibraryError)
  /// Closes the open collection of an owner. Does nothing if none is open.
  func closeCollection(of owner: String) throws(LibraryError)
  /// Changes the title of a collection.
  func setTitle(_ title: String?, ofCollection name: String, owner: String) throws(LibraryError)
  /// The collections of an owner.
  func collections(
    of owner: String, by order: MediaCollection.Order, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> MediaCollection.Page

  // MARK: Erasing

  /// Erases rows with their words and locations in one transaction, and notes what must be erased outside: bytes, attachments of drafts, unused
  /// renditions. The caller erases these by the notes; ``Library/erase(_:wiping:progress:)`` does all of it.
  func erase(_ request: ErasureRequest) throws(LibraryError) -> ErasureRequest.ErasedRows
  /// Whether there are notes of erasures that are not finished.
  func isErasing() throws(LibraryError) -> Bool
  /// The notes that are not struck, the oldest first.
  func erasureNotes(limit: Int) throws(LibraryError) -> [ErasureRequest.Note]
  /// Removes notes whose erasure is finished.
  func strike(_ notes: [ErasureRequest.Note]) throws(LibraryError)
  /// Passes renditions that no file uses to a closure that removes them. No file can get one of them meanwhile.
  /// - Returns: Number of addresses that were examined; 0 when none is left.
  func removeUnusedRenditions(
    limit: Int, _ remove: (ContentDigest) throws(LibraryError) -> Void
  ) throws(LibraryError) -> Int
  /// Whether erased data may still be readable in the files of the database.
  func isToBeWiped() throws(LibraryError) -> Bool
  /// Makes erased data unreadable in the files of the database.
  /// - Returns: Whether it succeeded; false on a full disk, and while a process reads an older state.
  func wipe() throws(LibraryError) -> Bool
}

extension MediaCatalogue {
  /// The files at or below a folder (``files(under:in:after:limit:)``).
  public func files(under folder: PathBytes, after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError)
    -> CatalogueFile.Page
  {
    try files(under: folder, in: .all, after: after, limit: limit)
  }

  /// All files in a state, of every owner (``files(of:in:after:limit:)``).
  public func files(of state: CatalogueFile.State, after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError)
    -> CatalogueFile.Page
  {
    try files(of: state, in: .all, after: after, limit: limit)
  }

  /// The failed files (``failures(code:in:after:limit:)``).
  public func failures(
    code: MediaFailure.Code?, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    try failures(code: code, in: .all, after: after, limit: limit)
  }

  /// The files with the same content as a file (``files(sharingContentWith:in:after:limit:)``).
  public func files(
    sharingContentWith id: FileID, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    try files(sharingContentWith: id, in: .all, after: after, limit: limit)
  }
}
