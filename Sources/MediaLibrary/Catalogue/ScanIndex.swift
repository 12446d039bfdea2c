public import FileSupport

/// What a scan of folders needs of a catalogue: files by device and inode, folders with their fingerprints, and changes in batches.
///
/// For folders of this machine, in the SQLite catalogue only; ``MediaCatalogue`` has what an app needs, wherever the files are. Blocking, like
/// that. A value may be used from many threads.
public protocol ScanIndex: Sendable {
  /// Records the start of a scan.
  func beginScan(of roots: [PathBytes], at time: Int) throws(LibraryError) -> ScanRun
  /// Records the end of a scan. What it has stored is on the disk then; the time itself may be lost with the power if it has stored nothing.
  func finishScan(_ run: ScanRun, at time: Int) throws(LibraryError)
  /// The scan that was started last.
  func lastScan() throws(LibraryError) -> ScanRun?

  /// What the catalogue knows of files that a walk found: one answer for each, in order. For some hundred at once.
  func standings(of stamps: [FileStamp]) throws(LibraryError) -> [KnownFile.Standing]
  /// The known files directly in a folder, vanished ones too, by name, after the name `after`; without those whose name another file has now.
  func knownFiles(in folder: PathBytes, after: [UInt8]?, limit: Int) throws(LibraryError) -> [KnownFile]
  /// What the catalogue has of a folder, vanished ones too; nil if it does not know it.
  func knownFolder(_ path: PathBytes) throws(LibraryError) -> KnownFolder?
  /// The known folders at or below one, by path, after the path `after`; without vanished ones.
  func knownFolders(under folder: PathBytes, after: PathBytes?, limit: Int) throws(LibraryError) -> [KnownFolder]
  /// An examined file with this content, so that another file with it need not be decoded. A vanished file comes first, because the other may be
  /// that file (``CatalogueChange/moved(_:to:)``); otherwise it is a copy (``CatalogueChange/linked(_:to:)``).
  func knownFile(of digest: ContentDigest) throws(LibraryError) -> KnownFile?

  /// Applies all changes in order, or none. For some hundred at once, or once per second.
  func apply(_ changes: [CatalogueChange]) throws(LibraryError)
}
