internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Files that no scan found.
extension SQLiteCatalogue {
  func add(_ files: [AddedFile]) throws(LibraryError) -> [FileID] {
    if files.isEmpty { return [] }
    return try write(.memory) { db in
      var writer = try CatalogueWriter(db, keepsLocations: keepsLocations, store: store)
      return try files.map { file in
        let kept = try writer.lookup.file(at: file.path).flatMap { try Self.quarantine(of: $0, db) }
        try writer.make(.done(Self.stamp(of: file), file.result))
        guard let known = try writer.lookup.file(at: file.path) else {
          throw LibraryError(.corrupt, LibraryError.damagedCatalogue, detail: "a file that was added is not there")
        }
        if let reason = file.quarantine ?? kept { try writer.make(.quarantined(known.id, reason: reason)) }
        try Self.assign([known.id], owner: file.owner, collection: file.collection, db)
        return known.id
      }
    }
  }

  /// Why a file is quarantined; nil if it is not.
  private static func quarantine(of file: KnownFile, _ db: Database) throws -> String? {
    guard file.state == .quarantined else { return nil }
    return try String.fetchOne(
      db, sql: "SELECT failure_message FROM file WHERE id = ?", arguments: [file.id.rawValue]) ?? ""
  }

  func addRenditions(_ renditions: [StoredRendition], to id: FileID) throws(LibraryError) -> Bool {
    try write(.memory) { db in
      let content = try Int64.fetchOne(
        db, sql: "SELECT content FROM file WHERE id = ? AND content IS NOT NULL", arguments: [id.rawValue])
      let writer = try CatalogueWriter(db, keepsLocations: keepsLocations, store: store)
      for rendition in renditions {
        if let content {
          _ = try writer.put(rendition, of: content)
        } else if let address = rendition.digest {
          // Another file may use the same bytes, which the removal of unused renditions checks.
          try writer.run("INSERT OR IGNORE INTO garbage VALUES (?)", [Data(address.bytes)])
        }
      }
      return content != nil
    }
  }

  /// A stamp without device and inode, which no file on a disk has: a scan that finds the file examines it.
  private static func stamp(of file: AddedFile) -> FileStamp {
    func nanoseconds(_ seconds: Int) -> Int64 {
      let (product, isTooLarge) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
      return isTooLarge ? (seconds < 0 ? .min : .max) : product
    }
    return FileStamp(
      path: file.path, device: 0, inode: 0, size: Int64(file.result.info.bytes),
      modified: nanoseconds(file.modified), changed: nanoseconds(file.received))
  }
}
