/// Decisions about what may be seen in a library: blocked file contents, quarantined and protected files, reports of readers, verdicts of malware scanners.
///
/// A file is quarantined, and so in no listing, as long as one of these is true: a moderator or reports quarantined it, its content is blocked, or a scanner found
/// malware in its content. File contents are recognised by their digests: every file with the content is quarantined, whoever owns it and whenever it is added. Every decision adds
/// an entry to the audit trail. A change is on the disk when the call returns. Blocking, as ``MediaCatalogue`` is.
public struct Moderation: Sendable {
  let database: SQLiteCatalogue
}

extension Library {
  /// The moderation decisions.
  public var moderation: Moderation { Moderation(database: database) }
}

extension Moderation {
  // MARK: Contents

  /// Blocks a file content: all files that have it are quarantined, and so is every one that is added later. A file content that is blocked gets the new reason.
  /// - Parameters:
  ///   - reason: For moderators and the audit trail. Owners and readers do not see it.
  ///   - actor: Who decides, such as the name of a moderator.
  ///   - time: When, in seconds since 1970.
  /// - Returns: The files that have the content.
  @discardableResult
  public func block(
    _ content: ContentDigest, reason: String, by actor: String, at time: Int
  ) throws(LibraryError) -> [FileID] {
    try database.block(content, Decision(reason: reason, actor: actor, time: time))
  }

  /// Removes the block of a file content. Its files are shown again, except those with another reason to be quarantined.
  /// - Returns: The files that have the content; empty if it was not blocked.
  @discardableResult
  public func unblock(
    _ content: ContentDigest, reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) -> [FileID] {
    try database.unblock(content, Decision(reason: reason, actor: actor, time: time))
  }

  /// Why a file content is blocked; nil if it is not.
  public func block(of content: ContentDigest) throws(LibraryError) -> Decision? { try database.block(of: content) }

  /// Whether nobody may see a file content: it is blocked, or a scanner found malware in it. Files that get it are quarantined, so no image has to be made of it.
  package func isHidden(_ content: ContentDigest) throws(LibraryError) -> Bool {
    if try block(of: content) != nil { return true }
    return try verdict(of: content)?.state == .infected
  }

  /// Pages of the blocked file contents, most recent first.
  public func blocks(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> BlockPage {
    try database.blocks(after: after, limit: limit)
  }

  /// The files that have this content, also quarantined and vanished ones.
  public func files(of content: ContentDigest) throws(LibraryError) -> [FileID] { try database.files(of: content) }

  // MARK: Files

  /// Quarantines files, all or none: they are in no listing until they are released. Other files with the same content are not affected.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a file does not exist.
  public func quarantine(
    _ files: [FileID], reason: String, by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.setFlag(.quarantined, of: files, Decision(reason: reason, actor: actor, time: time))
  }

  /// Shows quarantined files again, all or none, and discards the reports about them.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a file does not exist, or if its content is blocked or infected: unblock it, or scan it again with newer
  ///   signatures.
  public func release(_ files: [FileID], reason: String = "", by actor: String, at time: Int) throws(LibraryError) {
    try database.release(files, Decision(reason: reason, actor: actor, time: time))
  }

  /// Protects files: reports of readers do not quarantine them, and erasing vanished files keeps them. Decisions of moderators, blocks and scanners apply to them.
  public func protect(
    _ files: [FileID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.setFlag(.protected, of: files, Decision(reason: reason, actor: actor, time: time))
  }

  /// Ends the protection of files.
  public func unprotect(
    _ files: [FileID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) {
    try database.removeFlag(.protected, of: files, Decision(reason: reason, actor: actor, time: time))
  }

  /// Whether a file was quarantined and released, and not quarantined since.
  package func isReleased(_ file: FileID) throws(LibraryError) -> Bool { try database.isReleased(file) }

  /// Everything that was decided about a file and its content; nil if there is no such file.
  public func standing(of file: FileID) throws(LibraryError) -> Standing? { try database.standing(of: file) }

  // MARK: Audit trail

  /// The decisions, most recent first.
  public func audit(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> AuditPage {
    try database.audit(after: after, limit: limit)
  }
}
