public import FileSupport
public import MediaModel

/// One change by a scan. A batch of them is made whole or not at all (``ScanIndex/apply(_:)``).
public enum CatalogueChange: Sendable {
  /// A file was seen and will be looked into. New rows are in ``FileState/new``; the row of one that changed keeps its id, labels and caption,
  /// and loses the facts of its old content.
  case discovered(FileStamp)
  /// A file was looked into. Makes the row when there is none.
  case done(FileStamp, FileResult)
  /// A file failed; whatever facts were found stand in `info`. Attempts are counted for as long as the stamp is the same.
  case failed(FileStamp, MediaFailure, info: MediaInfo?, engine: String, recipe: String)
  /// A known file is at another path now. Everything that is known of it stays. What stood at that path in the catalogue vanishes.
  case moved(FileID, to: FileStamp)
  /// A known content has a name more: its facts, placeholder and renditions hold for both. What stood at that path in the catalogue vanishes,
  /// if it was another file.
  case linked(FileID, to: FileStamp)
  /// A file has a content that is known, and was not looked into. If `from` still has that content, it is that file; else it is one more of those that
  /// have it; and if none has it any more, it is new.
  case recognized(FileStamp, ContentDigest, from: FileID?)
  /// A file that had vanished is where it was, unchanged.
  case returned(FileID)
  /// A file is not where it was.
  case vanished(FileID)
  /// Nothing is left of a folder and all below it.
  case folderVanished(PathBytes)
  /// Nobody is to see this file, nor what is linked to it from then on, until it is released: what its path holds by then stays hidden too.
  case quarantined(FileID, reason: String)
  /// A quarantined file may be seen again. It is new to the next scan.
  case released(FileID)
  /// The listing of a folder is wholly in the catalogue, and this is what the scan made of it. A folder with new files is never done.
  case folderDone(PathBytes, fingerprint: UInt64)
}
