internal import GRDB

/// What an erasure is about, read from the library's catalogue a page at a time: an owner may have more than fits into memory.
struct RowsToErase {
  let request: ErasureRequest
  let database: SQLiteCatalogue
  /// The ids of the files, in order.
  let files: [Int64]

  /// Visits the files until a visit returns false. Those whose rows are gone by now are skipped.
  func eachFile(_ visit: (SnapshotMatch.File) throws -> Bool) throws {
    var rest = files[...]
    while !rest.isEmpty {
      let ids = rest.prefix(request.snapshotPageSize)
      rest = rest.dropFirst(ids.count)
      let page = try database.read { db in
        let statement = try db.cachedStatement(
          sql: """
            SELECT file.id, CAST(folder.path AS BLOB), CAST(file.name AS BLOB) FROM file
            CROSS JOIN folder ON folder.id = file.folder WHERE file.id = ?
            """)
        return try ids.compactMap { id in
          try Row.fetchOne(statement, arguments: [id]).map { SnapshotMatch.File($0) }
        }
      }
      for file in page { if try !visit(file) { return } }
    }
  }

  /// Visits the moments in pages, then the trips.
  func eachPage(_ visit: (MomentsToErase) throws -> Void) throws {
    var last = Int64.min
    while true {
      let page = try collected { db in try MomentsToErase(db, after: last, limit: request.snapshotPageSize) }
      try visit(page)
      guard let end = page.last else { return }
      last = end
    }
  }

  /// Reads with all ids in the tables of an erasure. They are collected for each page: other writers of this process may remove the tables in between.
  private func collected<Value>(_ read: (Database) throws -> Value) throws -> Value {
    try database.write { db in
      try Erasure(db).collect(request)
      let value = try read(db)
      try Erasure(db).begin()
      return value
    }
  }
}
