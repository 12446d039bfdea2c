/// File contents that no scanner could look at, because they are encrypted or too large for it. A moderator looks at them instead, and accepts or blocks them.
extension Moderation {
  /// A page of file contents that wait for a moderator.
  public struct UnscannablePage: Sendable {
    /// The verdicts of this page. One with ``Verdict/due`` is scanned again, too.
    public var verdicts: [Verdict]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }

  /// The file contents that a scanner could not scan and about which no moderator has decided, most recent first.
  public func unscannable(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> UnscannablePage {
    try database.unscannable(after: after, limit: limit)
  }

  /// Accepts file contents that a scanner could not scan, all or none: they count as clean for every file that has them. To reject one, block it
  /// (``block(_:reason:by:at:)``), which also ends an acceptance.
  ///
  /// Further scans that are not able to look at the content change nothing; one that finds malware hides it. A file that gets another content is not accepted, and
  /// neither is the content when it comes back after its last file was erased.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if the verdict is not ``Verdict/State/unscannable``, or if the content is blocked.
  public func accept(
    _ contents: [ContentDigest], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.accept(contents, Decision(reason: reason, actor: actor, time: time))
  }
}
