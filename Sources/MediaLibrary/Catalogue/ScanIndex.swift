public import FileSupport

/// What a walk over folders needs of a catalogue: files by device and number, folders with their fingerprints, and changes in batches.
///
/// For folders of this machine, in the SQLite catalogue alone; what an app asks, wherever files are, is ``MediaCatalogue``. Blocking, as that is. A
/// value may be used from many threads.
public protocol ScanIndex: Sendable {
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
}
