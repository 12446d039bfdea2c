package import MediaLibrary
package import MediaModel

/// What came of looking into a file.
package struct ScanOutcome: Sendable {
  let target: ScanTarget
  /// The file that was read, before it was: whatever is written to it later differs from this.
  var stamp: FileStamp
  /// Absent when the file could not be opened.
  var info: MediaInfo?
  var digest: ContentDigest?
  /// A known file of the same content.
  var same: KnownFile?
  /// Whether that file has all that is asked for, so that nothing was made of this one.
  var isKnown = false
  /// Whether that file is this one, which was elsewhere before; else this is a copy.
  var isMoved = false
  var renditions: [StoredRendition] = []
  var placeholder: Placeholder?
  package var error: MediaFailure?
  /// Whether it was left alone while it was read.
  var isSettled = true
  /// From its opening to the last of its images.
  var seconds = 0.0

  package init(_ target: ScanTarget) {
    self.target = target
    stamp = target.stamp
  }

  /// What became of it.
  var state: ScannedFile.State {
    guard let same, same.stamp.path != stamp.path, isMoved || isKnown else { return .init(target.reason) }
    return isMoved ? .moved : .linked
  }

  /// Whether its folder can be taken for finished: it was read as it stands, and what went wrong is the file's own.
  var isFinal: Bool { isSettled && error.map { !RetryRule.passing.contains($0.code) } ?? true }
}
