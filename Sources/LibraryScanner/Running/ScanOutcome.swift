package import MediaLibrary
package import MediaModel

/// The result of examining a file.
package struct ScanOutcome: Sendable {
  let target: ScanTarget
  /// The file's state before it was read, so that a later write makes a difference.
  var stamp: FileStamp
  /// Nil if the file could not be opened.
  var info: MediaInfo?
  var digest: ContentDigest?
  /// A known file with the same content.
  var same: KnownFile?
  /// Whether that file has everything requested, so that nothing was made of this one.
  var isKnown = false
  /// Whether nobody may see its content, so that no image was made of it.
  var isHidden = false
  /// What reading it again has shown of a file that looked unchanged.
  var recheck = MediaScan.Event.File.State.changed
  /// Whether that file is this one at its previous path; otherwise this is a copy.
  var isMoved = false
  var renditions: [StoredRendition] = []
  var placeholder: Placeholder?
  package var error: MediaFailure?
  /// Whether the file was not written while it was read.
  var isSettled = true
  /// Seconds from opening the file to its last image.
  var seconds = 0.0

  package init(_ target: ScanTarget) {
    self.target = target
    stamp = target.stamp
  }

  /// What the scan found about the file.
  var state: MediaScan.Event.File.State {
    if target.reason == .rechecked { return recheck }
    guard let same, same.stamp.path != stamp.path, isMoved || isKnown else { return .init(target.reason) }
    return isMoved ? .moved : .linked
  }

  /// Whether its folder can be marked as complete: the file did not change while it was read, and a failure is one of the file itself.
  var isFinal: Bool { isSettled && error.map { !RetryRule.passing.contains($0.code) } ?? true }
}
