public import MediaModel

/// What is known of the files of a library: one of its two seams (docs/design.md §2). SQLite now; another database for a cluster.
///
/// Blocking: a call belongs on a thread that may wait. A value may be used from many threads. No call loads more than the rows it was asked for,
/// and none walks rows that it does not give: each listing is one range of one index.
///
/// Rows of vanished and quarantined files stand in no listing but ``files(in:state:after:limit:)``.
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
  /// The files that are known directly in a folder, vanished ones too, by name, after the one of the name `after`.
  func knownFiles(in folder: PathBytes, after: [UInt8]?, limit: Int) throws(LibraryError) -> [KnownFile]
  /// A folder, by its path.
  func knownFolder(_ path: PathBytes) throws(LibraryError) -> KnownFolder?
  /// The folders that are known at or below one, by path, after the one of the path `after`.
  func knownFolders(under folder: PathBytes, after: PathBytes?, limit: Int) throws(LibraryError) -> [KnownFolder]
  /// A file of that content: its facts hold for another, which need not be decoded then (``CatalogueChange/linked(_:to:)``).
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
  /// The files of a state at or below a folder, by path.
  func files(
    in folder: PathBytes, state: FileState, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// The files that failed, of one code or of all, the least recent attempt first.
  func failures(
    code: MediaFailure.Code?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage
  /// How many files there are of each state, kind and failure code.
  func counts() throws(LibraryError) -> [LibraryCount]
}
