internal import FileSupport
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// That a listing costs its page and not the library: asked of the planner, and counted in steps of SQLite's machine, which no clock has a part in.
@Suite("What a listing costs") struct PlanTests {
  /// Every statement that a listing, a scan's question or the map runs once, or once for each row that it gives.
  private static let statements: [String] = {
    var statements = [
      FileQueries.folderID, FileQueries.folder, FileQueries.foldersAfter, FileQueries.allFoldersAfter,
      FileQueries.knownByPath,
      FileQueries.knownByInode, FileQueries.knownInFolder, FileQueries.knownByDigest, FileQueries.knownByID,
      FileQueries.byPath, FileQueries.byID, FileQueries.byState, FileQueries.failed, FileQueries.failedOfCode,
      FileQueries.inFolder, FileQueries.sharing, FileQueries.duplicates, FileQueries.search,
      FileQueries.collectionsByName, FileQueries.collectionsByStart, FileQueries.renditions,
      LocationQueries.locations, LocationQueries.locationsOfOwner, LocationQueries.cells, LocationQueries.members,
      LocationQueries.membersOfOwner,
    ]
    let scopes: [CatalogueScope] = [
      .photosAndVideos, .all, .kind(.image), .owner("a"), .collection("a", owner: "b"), .folder(PathBytes("/")),
    ]
    for scope in scopes {
      statements += [FileQueries.newest(scope, after: false), FileQueries.newest(scope, after: true)]
    }
    return statements
  }()

  /// Whether a line of a plan walks a table or sorts. A full-text match is a lookup, though SQLite calls it a scan.
  private static func isCostly(_ line: String) -> Bool {
    line.contains("TEMP B-TREE") || (line.contains("SCAN") && !line.contains("VIRTUAL TABLE INDEX"))
  }

  /// A library of so many photos, a tenth of them with a place, of ten owners.
  private static func filled(_ count: Int) throws -> TestLibrary {
    let test = try TestLibrary()
    for start in stride(from: 0, to: count, by: 1_000) {
      try test.catalogue.apply(
        (start..<min(count, start + 1_000)).map { index in
          TestLibrary.done(
            "/r/\(index % 50)/IMG_\(index).jpg", inode: UInt64(index), taken: 1_000 + index * 7 % count,
            at: index % 10 == 0 ? (Double(index % 100), Double(index % 170)) : nil, digest: index / 2)
        })
    }
    return test
  }

  @Test("Every listing is a range of an index: nothing is scanned, nothing is sorted") func plans() throws {
    let test = try Self.filled(500)
    let database = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"))
    try database.write { db in
      // With and without statistics, which change a planner's mind.
      for analyzed in [false, true] {
        if analyzed { try db.execute(sql: "ANALYZE") }
        for sql in Self.statements {
          let arguments = StatementArguments(Array(repeating: 1, count: sql.count { $0 == "?" }))
          let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments).map {
            $0["detail"] as String
          }
          #expect(!plan.isEmpty, "\(sql)\n\(plan.joined(separator: "\n"))")
          #expect(!plan.contains(where: Self.isCostly), "\(sql)\n\(plan.joined(separator: "\n"))")
        }
      }
      // The check itself: these two do walk and sort.
      for sql in ["SELECT id FROM file WHERE size = 1", "SELECT id FROM file WHERE folder = 1 ORDER BY size"] {
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
        #expect(plan.contains(where: Self.isCostly), "\(plan)")
      }
    }
  }

  @Test("A page far behind costs what the first one does, and a page of many files what it does of few") func steps()
    throws
  {
    func steps(_ test: TestLibrary, page: Int) throws -> Int {
      var cursor: CatalogueCursor?
      for _ in 0..<page { cursor = try test.catalogue.newest(.all, in: nil, after: cursor, limit: 50).next }
      let start = try cursor.map { try CursorWord($0, "t", numbers: 2) }
      let sql = FileQueries.newest(.all, after: start != nil)
      return try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite")).read { db in
        let statement = try db.makeStatement(sql: sql)
        var arguments: [(any DatabaseValueConvertible)?] = [Int.min]
        if start == nil { arguments.append(Int.max) }
        if let start { arguments += [start.numbers[0], Data(start.name), start.numbers[1]] }
        let rows = try Row.fetchAll(statement, arguments: StatementArguments(arguments + [51]))
        #expect(rows.count == 51)
        return Int(sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0))
      }
    }
    let large = try Self.filled(20_000)
    let small = try Self.filled(1_000)
    let first = try steps(large, page: 0)
    #expect(try steps(large, page: 300) < first * 13 / 10, "of \(first)")
    #expect(try first < steps(small, page: 0) * 13 / 10, "of \(first)")
  }
}
