internal import GRDB
package import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Adds images that were made later to a file whose facts are known; its facts stay, which files of other owners may share.
  /// - Returns: Whether there is such a file.
  package func addImages(
    _ renditions: [StoredRendition], placeholder: Placeholder?, recipe: String, to id: FileID
  ) throws(LibraryError) -> Bool {
    try database.addImages(renditions, placeholder, recipe: recipe, to: id)
  }
}

/// Files that no scan found.
extension SQLiteCatalogue {
  func add(_ files: [AddedFile]) throws(LibraryError) -> [FileID] {
    if files.isEmpty { return [] }
    return try write(.memory) { db in
      var writer = try CatalogueWriter(db, keepsLocations: keepsLocations, store: store)
      return try files.map { file in
        try writer.make(.done(Self.stamp(of: file), file.result))
        guard let known = try writer.lookup.file(at: file.path) else {
          throw LibraryError(
            .corrupt, LibraryError.damagedCatalogue, detail: "the row of a file that was just added is missing")
        }
        if let reason = file.quarantine {
          let decision = Moderation.Decision(reason: reason, actor: file.quarantineActor, time: file.received)
          try Self.setFlag(.quarantined, of: known.id, decision, db)
        }
        try Self.assign([known.id], owner: file.owner, collection: file.collection, db)
        return known.id
      }
    }
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

  func addImages(
    _ renditions: [StoredRendition], _ placeholder: Placeholder?, recipe: String, to id: FileID
  ) throws(LibraryError) -> Bool {
    try write(.memory) { db in
      let found = try Int64.fetchOne(
        db,
        sql:
          "SELECT content FROM file WHERE id = ? AND state = \(CatalogueFile.State.done.sql) AND content IS NOT NULL",
        arguments: [id.rawValue])
      guard let content = found else { return false }
      var writer = try CatalogueWriter(db, keepsLocations: keepsLocations, store: store)
      var isWhole = true
      for rendition in renditions where try !writer.put(rendition, of: content) { isWhole = false }
      try writer.put(placeholder, of: content)
      if isWhole { try writer.run("UPDATE file SET recipe = ? WHERE id = ?", [try writer.word(recipe), id.rawValue]) }
      return true
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
