public import FileSupport
public import MediaModel

/// What an app asks of the files of a library, and says of them: one of the seams of a library (docs/design.md §2). SQLite now; another database for
/// a cluster. What a walk over folders needs beside is ``ScanIndex``.
///
/// Blocking: a call belongs on a thread that may wait; ``AsyncCatalogue`` has such threads. A value may be used from many threads. No call loads more
/// than the rows it was asked for, and none walks rows that it does not give, but where it says so: each listing is one range of one index
/// (see ``CatalogueScope`` for which).
///
/// Files that are new, failed, vanished or quarantined stand in no listing but those that say so.
public protocol MediaCatalogue: Sendable {
  // MARK: Adding

  /// Puts in files that no walk saw, such as uploads, all or none; in place of what is known at their paths. For some hundred at once.
  /// - Returns: Their ids, in the same order.
  func add(_ files: [AddedFile]) throws(LibraryError) -> [FileID]

  // MARK: Listing

  /// A file, by its path.
  func file(at path: PathBytes) throws(LibraryError) -> CatalogueFile?
  /// A file, by its id.
  func file(_ id: FileID) throws(LibraryError) -> CatalogueFile?
  /// The renditions of a file.
  func renditions(of id: FileID) throws(LibraryError) -> [StoredRendition]
  /// The newest of a scope, the newest first, in pages. Of the same second the greater name comes first.
  func newest(_ scope: CatalogueScope, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage
  /// The files at or below a folder, by path, whatever their state, but for quarantined ones. Those that are not in the scope are passed over one by
  /// one.
  func files(
    under folder: PathBytes, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// The files of a state other than ``FileState/done``, in the order in which they came into the catalogue. Those that are not in the scope are passed
  /// over one by one.
  func files(
    of state: FileState, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// The files that failed, of one code or of all, by code and in the order in which they came into the catalogue. Those that are not in the scope are
  /// passed over one by one.
  func failures(
    code: MediaFailure.Code?, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// Contents that more than one file of a scope has, whatever the states of these, the largest first. Of an owner all files are gone through, by their contents; of other scopes
  /// all contents that more than one file has.
  func duplicates(
    in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> DuplicatePage
  /// The files of a scope that have the same content as this one, whatever their states, itself among them if it is in the scope.
  func files(
    sharingContentWith id: FileID, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// Files of a scope whose name, title or caption has every word of a text, each as a whole word or its beginning; the newest first. Case and accents do
  /// not count. An owner and times are found with the words; files of other kinds, folders or collections are passed over one by one.
  func search(
    _ text: String, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// How many files of a scope there are of each state, kind and failure code. Kept for everybody and for each owner, of all kinds or some; of
  /// a collection, a folder or times the files are gone through, and all that are not done.
  func counts(in scope: CatalogueScope) throws(LibraryError) -> [LibraryCount]

  // MARK: Places

  /// The files of a scope with a place in bounds, near ones together (R-MYM-16). An empty answer is an answer. Of all files and of an owner's it is
  /// drawn from sums that are kept; of other scopes the files are gone through one by one, those of the scope or those in the bounds.
  /// - Parameter zoom: 0 for the whole world in 256 pixels, one more for each doubling, up to 20. Taken smaller where the bounds would have too many
  ///   clusters; the answer says which it was.
  func locations(in bounds: GeoBounds, zoom: Int, of scope: CatalogueScope) throws(LibraryError) -> LocationMap
  /// The members of a cluster that are in a scope, in an order that stays: near ones together, of one spot the earliest first. Those of other times,
  /// kinds, folders or collections are passed over one by one.
  func members(
    of cluster: LocationCluster.ID, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage

  // MARK: What people say of files

  /// Says whose files these are, and to which of the owner's collections they belong.
  func assign(_ files: [FileID], owner: String?, collection: CollectionChoice) throws(LibraryError)
  /// Gives a file a title and a caption, kept as given (R-MYM-2); nil takes them away.
  func setText(of file: FileID, title: String?, caption: String?) throws(LibraryError)
  /// Gives a file a place, or takes it away; a scan does not change it back (R-MYM-5, R-MYM-6).
  func setLocation(of file: FileID, _ location: Location?) throws(LibraryError)
  /// Makes a collection and opens it: files join it until it is closed or another is opened (R-MYM-18). One that is there is opened again.
  func openCollection(_ name: String, owner: String, title: String?, at time: Int) throws(LibraryError)
  /// Closes the collection of an owner that is open; none is as good.
  func closeCollection(of owner: String) throws(LibraryError)
  /// Changes the title of a collection.
  func setTitle(_ title: String?, ofCollection name: String, owner: String) throws(LibraryError)
  /// The collections of an owner.
  func collections(
    of owner: String, by order: CollectionOrder, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CollectionPage

  // MARK: Erasing

  /// Erases rows, the words of them and their places, in one transaction, and notes what has to go with them outside: bytes, attachments of
  /// drafts, renditions that no file has any more. Whoever owns these removes them, by the notes; ``Library/erase(_:wiping:)`` does all of it.
  func erase(_ request: ErasureRequest) throws(LibraryError) -> ErasedRows
  /// Whether anything that was noted is not done.
  func isErasing() throws(LibraryError) -> Bool
  /// What was noted and not struck, the oldest first.
  func erasureNotes(limit: Int) throws(LibraryError) -> [ErasureNote]
  /// Strikes notes out, once what they say is done.
  func strike(_ notes: [ErasureNote]) throws(LibraryError)
  /// Gives renditions that no file has any more to be removed. While that goes on, no file can come to have one.
  /// - Returns: How many addresses were looked at; 0 when none is left.
  func removeUnusedRenditions(
    limit: Int, _ remove: (ContentDigest) throws(LibraryError) -> Void
  ) throws(LibraryError) -> Int
  /// Whether something was erased that can still be read in the files of the database.
  func isToBeWiped() throws(LibraryError) -> Bool
  /// Makes sure that nothing that was erased can be read in the files of the database.
  /// - Returns: Whether that could be done: not on a full disk, and not while somebody reads an older state.
  func wipe() throws(LibraryError) -> Bool
}

extension MediaCatalogue {
  /// The files at or below a folder (``files(under:in:after:limit:)``).
  public func files(under folder: PathBytes, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage
  {
    try files(under: folder, in: .all, after: after, limit: limit)
  }

  /// The files of a state (``files(of:in:after:limit:)``).
  public func files(of state: FileState, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage {
    try files(of: state, in: .all, after: after, limit: limit)
  }

  /// The files that failed (``failures(code:in:after:limit:)``).
  public func failures(
    code: MediaFailure.Code?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    try failures(code: code, in: .all, after: after, limit: limit)
  }

  /// The files of the same content (``files(sharingContentWith:in:after:limit:)``).
  public func files(
    sharingContentWith id: FileID, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    try files(sharingContentWith: id, in: .all, after: after, limit: limit)
  }
}
