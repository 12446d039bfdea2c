internal import GRDB
internal import Logging
internal import MediaLibrary

/// Files that were erased while no service ran, by `mediatool erase` or by an app with the library.
extension MediaService {
  /// The columns that refer to files.
  private static let references = [
    ("attachment", "file", " AND NOT erased"), ("profile", "avatar", ""), ("upload", "attachment", ""),
    ("idempotency", "attachment", ""),
  ]

  /// Removes what the service's database has of files that the catalogue does not have any more: names, labels, images of profiles, answers. Errors are
  /// logged, and the next start tries again. The library is this process's alone, so nothing is erased outside later.
  func buryLost() async {
    do {
      for (table, column, condition) in Self.references {
        var last: Int64 = 0
        // In small steps, so that no request is kept waiting.
        while let page = try await buryLost(in: table, column, condition, after: last) { last = page }
      }
    } catch is CancellationError {
      // The service ends; the next start goes on.
    } catch {
      logger.error("removing rows of files that no longer exist failed", metadata: ["error": "\(error)"])
    }
  }

  /// Looks at some files in the order of their ids.
  /// - Returns: The last one; nil if there are no more.
  private func buryLost(
    in table: String, _ column: String, _ condition: String, after id: Int64
  ) async throws -> Int64? {
    let (library, database) = (library.library, database)
    // Where files are added and erased too.
    return try await self.library.writing.run {
      let known = try database.readBlocking { db in
        try Int64.fetchAll(
          db, sql: "SELECT DISTINCT \(column) FROM \(table) WHERE \(column) > ?\(condition) ORDER BY 1 LIMIT 200",
          arguments: [id])
      }
      let gone = known.map(FileID.init(rawValue:)).filter { Self.isGone($0, from: library) }
      if !gone.isEmpty {
        try database.writeBlocking { db in
          try Self.bury(gone, of: nil, db)
          // Cells of removed rows may still be readable in the file: the next sweep rewrites it.
          try ErasureCount.begin(db)
          try ErasureCount.end(1, db)
        }
      }
      return known.last
    }
  }
}
