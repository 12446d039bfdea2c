public import FileSupport
public import MediaModel

/// One change by a scan. A batch of changes is applied completely or not at all (``ScanIndex/apply(_:)``).
public enum CatalogueChange: Sendable {
  /// A file was found and is to be examined. A new row is in state ``CatalogueFile/State/new``. The row of a changed file keeps its id, labels and caption,
  /// and loses the facts of its old content.
  case discovered(FileStamp)
  /// A file was examined. Creates the row if there is none.
  case done(FileStamp, FileResult)
  /// A file failed; `info` has the facts that were found. Attempts are counted while the stamp stays the same.
  case failed(FileStamp, MediaFailure, info: MediaInfo?, engine: String, recipe: String)
  /// A known file is at another path, and keeps all its data. The catalogue's previous file at that path becomes vanished. If the known file was erased, the one at the path
  /// is new.
  case moved(FileID, to: FileStamp)
  /// Another path has a known content: facts, placeholder and renditions apply to both. The catalogue's previous file at that path becomes
  /// vanished, if it was another file. If the known file was erased, the one at the path is new.
  case linked(FileID, to: FileStamp)
  /// A file that was not examined has a known content. If `from` still has that content, the file is `from`; otherwise it is one more file with
  /// that content. If no file has the content any more, it is new.
  case recognized(FileStamp, ContentDigest, from: FileID?)
  /// Whether the name of a file disagrees with its content; nil if not. For a file that was recognised under another name.
  case mismatch(PathBytes, MediaInfo.Mismatch?)
  /// A vanished file is back at its path, unchanged.
  case returned(FileID)
  /// A file is no longer at its path.
  case vanished(FileID)
  /// A folder with everything below it has vanished.
  case folderVanished(PathBytes)
  /// Hides a file, and files linked to it later, until it is released. Other files that get its path are hidden too.
  case quarantined(FileID, reason: String)
  /// Shows a quarantined file again. The next scan treats it as new.
  case released(FileID)
  /// The listing of a folder is completely in the catalogue, with this fingerprint. A folder with new files is never complete.
  case folderDone(PathBytes, fingerprint: UInt64)
}
