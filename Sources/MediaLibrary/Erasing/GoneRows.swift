internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an erasure is about, read from the library's catalogue a page at a time: an owner may have more than fits into memory.
struct GoneRows {
  let request: ErasureRequest
  let database: SQLiteCatalogue

  /// Visits the files until a visit returns false.
  func eachFile(_ visit: (SnapshotMatch.File) throws -> Bool) throws {
    var last = Int64.min
    while true {
      let page = try collected { db in
        try SnapshotMatch.File.all(
          try db.cachedStatement(
            sql: """
              SELECT gone.id, CAST(folder.path AS BLOB), CAST(file.name AS BLOB) FROM gone CROSS JOIN file ON file.id = gone.id
              CROSS JOIN folder ON folder.id = file.folder WHERE gone.id > ? ORDER BY gone.id LIMIT ?
              """), arguments: [last, request.snapshotPageSize])
      }
      for file in page { if try !visit(file) { return } }
      guard let end = page.last?.id else { return }
      last = end
    }
  }

  /// Visits the moments in pages, then the trips.
  func eachPage(_ visit: (GoneMoments) throws -> Void) throws {
    var last = Int64.min
    while true {
      let page = try collected { db in try GoneMoments(db, after: last, limit: request.snapshotPageSize) }
      try visit(page)
      guard let end = page.last else { return }
      last = end
    }
  }

  /// Reads with all ids in the tables of an erasure. They are collected for each page: another erasure in this process may use the tables in between.
  private func collected<Value>(_ read: (Database) throws -> Value) throws -> Value {
    try database.write { db in
      try Erasure(db).collect(request)
      let value = try read(db)
      try Erasure(db).begin()
      return value
    }
  }
}

extension SnapshotMatch.File {
  /// The files of rows with an id, the path of a folder, and a name.
  static func all(_ statement: Statement, arguments: StatementArguments) throws -> [SnapshotMatch.File] {
    var files: [SnapshotMatch.File] = []
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    while let row = try rows.next() { files.append(SnapshotMatch.File(row)) }
    return files
  }
}
