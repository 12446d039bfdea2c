/// Moments without a file, which a file's quarantine does not reach: they are held instead, so that their owner alone sees them. A moment with a file is hidden
/// with its file.
extension Moderation {
  /// What was decided about a moment.
  public struct MomentStanding: Hashable, Sendable {
    /// Whether its owner alone sees it.
    public var isHeld: Bool
    /// Why it is held; nil if it is not, and for one that was added as held.
    public var hold: Decision?
    /// Why reports of readers do not hold it; nil if they do.
    public var protection: Decision?
    /// Its file, about which reports are; nil for a note.
    public var file: FileID?
    /// Number of reports about it that no moderator has answered.
    public var reports: Int
  }

  /// Records the report of a reader about a moment. A reader has one report per moment; another one replaces it. If the moment has a file, the report is about the file
  /// (``report(_:by:reason:at:threshold:)``).
  /// - Parameter threshold: The number of readers whose reports hold the moment until a moderator decides. Nil: reports never do. They do not hold a protected moment
  ///   either, nor one that a moderator has released and whose title and caption are the same since.
  /// - Returns: Whether the moment is held, or its file is quarantined, because of this report; nil if there is no such moment.
  public func report(
    moment: Moment.ID, by reader: String, reason: String, at time: Int, threshold: Int?
  ) throws(LibraryError) -> Bool? {
    try database.report(moment, Decision(reason: reason, actor: reader, time: time), threshold: threshold)
  }

  /// Holds moments, all or none: nobody but their owners sees them until they are released.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a moment does not exist or has a file: quarantine the file.
  public func hold(
    moments: [Moment.ID], reason: String, by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.hold(moments, Decision(reason: reason, actor: actor, time: time))
  }

  /// Shows held moments again to whom their owners allow, all or none, and discards the reports about them.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a moment does not exist.
  public func release(
    moments: [Moment.ID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.release(moments, Decision(reason: reason, actor: actor, time: time))
  }

  /// Protects moments, all or none: reports of readers do not hold them, also after a moderator held and released them. Moderators decide about them as about
  /// any other. A moment that is held stays held.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a moment does not exist or has a file: protect the file.
  public func protect(
    moments: [Moment.ID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.protect(moments, Decision(reason: reason, actor: actor, time: time))
  }

  /// Ends the protection of moments, all or none.
  /// - Throws: As ``protect(moments:reason:by:at:)``.
  public func unprotect(
    moments: [Moment.ID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.unprotect(moments, Decision(reason: reason, actor: actor, time: time))
  }

  /// Discards the reports about moments, which stay as they are.
  /// - Returns: The number of reports.
  @discardableResult
  public func dismissReports(
    aboutMoments moments: [Moment.ID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) -> Int {
    try database.dismissReports(about: moments, Decision(reason: reason, actor: actor, time: time))
  }

  /// Everything that was decided about a moment; nil if there is no such moment.
  public func standing(ofMoment moment: Moment.ID) throws(LibraryError) -> MomentStanding? {
    try database.standing(of: moment)
  }

  /// A moment of any owner, also a held one; nil if there is no such moment. For moderators.
  public func moment(_ id: Moment.ID) throws(LibraryError) -> Moment? { try database.moment(id) }

  /// The held moments in pages, the last added first.
  public func heldMoments(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moment.Page {
    try database.heldMoments(after: after, limit: limit)
  }
}
