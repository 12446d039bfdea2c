internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The moments of files that a decision or a verdict shows again. Their time of the last change becomes that of the decision, so that readers who list what changed
/// since their last visit find them; an earlier time changes nothing. A moment that stays hidden for another reason gets the time of the decision that shows it.
extension SQLiteCatalogue {
  static func setChanged(momentsOf file: FileID, at time: Int, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        UPDATE moment INDEXED BY moment_file SET changed = max(changed, ?) WHERE file IS NOT NULL AND file = ?
        """
    ).execute(arguments: [time, file.rawValue])
  }

  static func setChanged(momentsOf content: ContentDigest, at time: Int, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        UPDATE moment SET changed = max(changed, ?) WHERE id IN (
          SELECT shown.id FROM content CROSS JOIN file INDEXED BY file_content
          ON file.content IS NOT NULL AND file.content = content.id
          CROSS JOIN moment AS shown INDEXED BY moment_file ON shown.file IS NOT NULL AND shown.file = file.id
          WHERE content.digest = ?)
        """
    ).execute(arguments: [time, Data(content.bytes)])
  }
}
