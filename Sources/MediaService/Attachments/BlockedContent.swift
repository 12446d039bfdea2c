internal import Foundation
internal import GRDB
internal import MediaLibrary

/// Contents that moderation has blocked, by their digests: whoever uploads one of them again gets an attachment that is blocked from the beginning.
enum BlockedContent {
  /// Why a content is blocked; nil if it is not.
  static func reason(_ content: ContentDigest, _ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT reason FROM blocked WHERE digest = ?", arguments: [Data(content.bytes)])
  }

  /// Blocks a content.
  static func add(_ content: ContentDigest, reason: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO blocked (digest, reason) VALUES (?, ?)", arguments: [Data(content.bytes), reason])
  }

  /// Releases a content.
  static func remove(_ content: ContentDigest, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM blocked WHERE digest = ?", arguments: [Data(content.bytes)])
  }

  /// A file and the others of any owner that have its content and can be listed.
  static func visibleCopies(of file: CatalogueFile, in catalogue: any MediaCatalogue) throws -> [CatalogueFile] {
    guard file.digest != nil else { return [file] }
    return [file]
      + (try all { try catalogue.files(sharingContentWith: file.id, in: .all, after: $0, limit: 500) })
      .filter { $0.id != file.id }
  }

  /// A file and the quarantined ones of any owner that have its content.
  static func quarantinedCopies(of file: CatalogueFile, in catalogue: any MediaCatalogue) throws -> [CatalogueFile] {
    guard let digest = file.digest else { return [file] }
    return [file]
      + (try all { try catalogue.files(of: .quarantined, in: .all, after: $0, limit: 500) })
      .filter { $0.id != file.id && $0.digest == digest }
  }

  private static func all(
    _ page: (CatalogueFile.Cursor?) throws -> CatalogueFile.Page
  ) throws -> [CatalogueFile] {
    var (files, position): ([CatalogueFile], CatalogueFile.Cursor?) = ([], nil)
    repeat {
      let next = try page(position)
      files += next.files
      position = next.next
    } while position != nil
    return files
  }
}
