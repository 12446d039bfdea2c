internal import MediaLibrary
internal import MediaModel

/// What came of looking into a file.
struct ScanOutcome: Sendable {
  let target: ScanTarget
  /// The file that was read, before it was: whatever is written to it later differs from this.
  var stamp: FileStamp
  /// Absent when the file could not be opened.
  var info: MediaInfo?
  var digest: ContentDigest?
  /// A known content that this is another name of.
  var same: KnownFile?
  var renditions: [StoredRendition] = []
  var placeholder: Placeholder?
  var error: MediaFailure?
  /// Whether it was left alone while it was read.
  var isSettled = true
  /// From its opening to the last of its pictures.
  var seconds = 0.0

  init(_ target: ScanTarget) {
    self.target = target
    stamp = target.stamp
  }

  /// Whether its folder can be taken for finished: it was read as it stands, and what went wrong is the file's own.
  var isFinal: Bool { isSettled && error.map { !RetryRule.passing.contains($0.code) } ?? true }
}
