public import FileSupport
public import MediaModel

/// What is known of the files of a library: one of its two seams (docs/design.md §2). SQLite now; another database for a cluster.
///
/// Blocking: a call belongs on a thread that may wait. A value may be used from many threads. No call loads more than the rows it was asked for,
/// and none walks rows that it does not give, but where it says so: each listing is one range of one index.
///
/// Files that are new, failed, vanished or quarantined stand in no listing but those that say so.
public protocol MediaCatalogue: Sendable {
  // MARK: Scanning

  /// Notes that a scan begins.
  func beginScan(of roots: [PathBytes], at time: Int) throws(LibraryError) -> ScanRun
  /// Notes that a scan has come to its end.
  func finishScan(_ run: ScanRun, at time: Int) throws(LibraryError)
  /// The scan that was begun last.
  func lastScan() throws(LibraryError) -> ScanRun?

  /// What is known of files that a walk saw; an answer for each, in their order. For some hundred at once.
  func standings(of stamps: [FileStamp]) throws(LibraryError) -> [FileStanding]
  /// The files that are known directly in a folder, vanished ones too, by name, after the one of the name `after`. But not those of which another
  /// file has taken the name.
  func knownFiles(in folder: PathBytes, after: [UInt8]?, limit: Int) throws(LibraryError) -> [KnownFile]
  /// A folder, by its path.
  func knownFolder(_ path: PathBytes) throws(LibraryError) -> KnownFolder?
  /// The folders that are known at or below one, by path, after the one of the path `after`; those not that were said to have vanished.
  func knownFolders(under folder: PathBytes, after: PathBytes?, limit: Int) throws(LibraryError) -> [KnownFolder]
  /// A file of that content that was looked into: its facts hold for another, which need not be decoded then. One that has vanished before any
  /// other, for the other may be itself (``CatalogueChange/moved(_:to:)``); else this is a copy (``CatalogueChange/linked(_:to:)``).
  func knownFile(of digest: ContentDigest) throws(LibraryError) -> KnownFile?

  /// Makes all these changes, or none. In their order. For some hundred at once, or once a second.
  func apply(_ changes: [CatalogueChange]) throws(LibraryError)

  // MARK: Listing

  /// A file, by its path.
  func file(at path: PathBytes) throws(LibraryError) -> CatalogueFile?
  /// A file, by its id.
  func file(_ id: FileID) throws(LibraryError) -> CatalogueFile?
  /// The renditions of a file.
  func renditions(of id: FileID) throws(LibraryError) -> [StoredRendition]
  /// The newest of a scope, the newest first, in pages. Of the same second the greater name comes first.
  /// - Parameter times: Seconds since 1970; nil for all times.
  func newest(
    _ scope: CatalogueScope, in times: Range<Int>?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// The files at or below a folder, by path, whatever their state, but for quarantined ones.
  func files(under folder: PathBytes, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage
  /// The files of a state other than ``FileState/done``, in the order in which they came into the catalogue.
  func files(of state: FileState, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage
  /// The files that failed, of one code or of all, by code and in the order in which they came into the catalogue.
  func failures(
    code: MediaFailure.Code?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// Contents that stand at more than one path, the largest first.
  func duplicates(after: CatalogueCursor?, limit: Int) throws(LibraryError) -> DuplicatePage
  /// The files of the same content as this one, itself among them.
  func files(sharingContentWith id: FileID, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage
  /// Files whose name, title or caption has every word of a text, each as a whole word or its beginning; the newest
  /// first. Case and accents do not count.
  func search(_ text: String, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage
  /// How many files there are of each state, kind and failure code.
  func counts() throws(LibraryError) -> [LibraryCount]

  // MARK: Places

  /// The files with a place in bounds, near ones together (R-MYM-16). An empty answer is an answer.
  /// - Parameters:
  ///   - zoom: 0 for the whole world in 256 pixels, one more for each doubling, up to 20. Taken smaller where the bounds would have too many
  ///     clusters; the answer says which it was.
  ///   - times: Seconds since 1970; nil for all times, which alone is drawn from sums that are kept. Of some times the files are gone through
  ///     one by one, those of the times or those in the bounds.
  func locations(
    in bounds: GeoBounds, zoom: Int, owner: String?, times: Range<Int>?
  ) throws(LibraryError) -> LocationMap
  /// The members of a cluster, in an order that stays: near ones together, of one spot the earliest first.
  /// - Parameter times: Only those of some times; the others of the cluster are passed over one by one.
  func members(
    of cluster: LocationCluster.ID, owner: String?, times: Range<Int>?, after: CatalogueCursor?, limit: Int
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
}

extension MediaCatalogue {
  /// The files with a place in bounds, of all times (``locations(in:zoom:owner:times:)``).
  public func locations(in bounds: GeoBounds, zoom: Int, owner: String?) throws(LibraryError) -> LocationMap {
    try locations(in: bounds, zoom: zoom, owner: owner, times: nil)
  }

  /// The members of a cluster, of all times (``members(of:owner:times:after:limit:)``).
  public func members(
    of cluster: LocationCluster.ID, owner: String?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    try members(of: cluster, owner: owner, times: nil, after: after, limit: limit)
  }
}
