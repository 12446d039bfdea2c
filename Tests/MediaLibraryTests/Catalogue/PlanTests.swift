internal import FileSupport
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// That a listing costs its page and not the library: asked of the planner, and counted in steps of SQLite's machine, which no clock has a part in.
@Suite("The cost of a listing") struct PlanTests {
  /// Every statement that a listing, a scan's question or the map runs once, or once for each row that it gives.
  private static let statements: [String] = {
    var statements = [
      FileQueries.folderID, FileQueries.folder, FileQueries.foldersAfter, FileQueries.allFoldersAfter,
      FileQueries.knownByPath,
      FileQueries.knownByInode, FileQueries.knownInFolder, FileQueries.knownByDigest, FileQueries.knownByID,
      FileQueries.byPath, FileQueries.byID, FileQueries.collectionsByName, FileQueries.collectionsByStart,
      FileQueries.renditions, LocationLayer.files.cellsInRange, SummaryQueries.counts,
      LocationLayer.moments.cellsInRange, MomentQueries.locations, MomentQueries.byID, MomentQueries.ofTrip(),
      MomentQueries.path(), MomentQueries.tripByID(for: .owner), MomentQueries.tripByID(for: .friends),
      MomentQueries.tripsByTitle, MomentQueries.tripsByStart,
      MomentQueries.searchTrips,
    ]
    for filter in [
      MomentScope.Filter(), MomentScope.Filter(sql: MomentScope.clean),
      MomentScope.Filter(sql: " AND moment.changed >= ?", arguments: [0]),
    ] {
      statements += [
        MomentQueries.locations(filter), MomentQueries.few(filter), MomentQueries.recent(filter),
        MomentQueries.members(filter),
        MomentQueries.search(filter), MomentQueries.keys(by: .time, filter), MomentQueries.keys(by: .activity, filter),
      ]
    }
    for scope in scopes {
      statements += [
        FileQueries.newest(scope, after: false), FileQueries.newest(scope, after: true),
        FileQueries.byState(scope.filter), FileQueries.failed(scope.filter), FileQueries.failedOfCode(scope.filter),
        FileQueries.inFolder(scope.filter), FileQueries.sharing(scope.filter), FileQueries.search(scope.filter),
        LocationQueries.locations(scope), LocationQueries.few(scope), LocationQueries.members(scope),
      ]
      // Of an owner all contents are grouped and sorted, and the protocol says so.
      if scope.owner == nil { statements.append(SummaryQueries.duplicates(scope)) }
    }
    return statements
  }()

  /// Owner, collection, folder and kinds in every combination, some of certain times.
  private static let scopes: [RowScope] = {
    let kinds: [[MediaKind]?] = [nil, [.image, .video], [.document], [.image, .audio, .text]]
    return (0..<8).flatMap { bits in
      kinds.map { kinds in
        RowScope(
          owner: bits & 1 == 0 ? nil : 1, collection: bits & 2 == 0 ? nil : 1, folder: bits & 4 == 0 ? nil : 1,
          kinds: kinds, times: kinds == nil ? nil : 1..<2)
      }
    }
  }()

  /// Whether a line of a plan walks a table or sorts. A full-text match is a lookup, though SQLite calls it a scan; and of engines and recipes there
  /// are a handful, which may be walked.
  private static func isCostly(_ line: String) -> Bool {
    let isOfWords = line.hasPrefix("SCAN engine") || line.hasPrefix("SCAN recipe")
    return line.contains("TEMP B-TREE")
      || (line.contains("SCAN") && !line.contains("VIRTUAL TABLE INDEX") && !isOfWords)
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

  @Test("Every listing is an index range, without a table scan or a sort") func plans() throws {
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

  @Test(
    "The newest photos and videos of an owner are one index range, and so is each scope that has an index")
  func oneRange() throws {
    let test = try Self.filled(500)
    let database = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"))
    let visual: [MediaKind] = [.image, .video]
    let scopes: [(RowScope, index: String, key: String)] = [
      (RowScope(), "file_newest", ""), (RowScope(kinds: visual), "file_visual", ""),
      (RowScope(kinds: [.document]), "file_kind", "kind=? AND "), (RowScope(owner: 1), "file_owner", "owner=? AND "),
      (RowScope(owner: 1, kinds: visual), "file_owner_visual", "owner=? AND "),
      (RowScope(owner: 1, kinds: [.document]), "file_owner_kind", "owner=? AND kind=? AND "),
      (RowScope(owner: 1, collection: 1), "file_collection", "collection=? AND "),
      (RowScope(folder: 1), "file_folder", "folder=? AND "),
    ]
    try database.read { db in
      for (scope, index, key) in scopes {
        for (after, range) in [(false, "time>? AND time<?"), (true, "time>? AND (time,name)<(?,?)")] {
          let sql = FileQueries.newest(scope, after: after)
          let arguments = StatementArguments(Array(repeating: 1, count: sql.count { $0 == "?" }))
          let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments).map {
            $0["detail"] as String
          }
          #expect(plan.first == "SEARCH file USING INDEX \(index) (\(key)\(range))", "\(plan)")
          #expect(plan.count { $0.contains(" file ") } == 1, "\(plan)")
        }
      }
    }
  }

  @Test("A late page costs what the first one does, and a page among many files what it does among few") func steps()
    throws
  {
    func steps(_ test: TestLibrary, page: Int) throws -> Int {
      var cursor: CatalogueFile.Cursor?
      for _ in 0..<page { cursor = try test.catalogue.newest(.all, after: cursor, limit: 50).next }
      let start = try cursor.map { try CursorWord($0, "t", numbers: 2) }
      let sql = FileQueries.newest(RowScope(), after: start != nil)
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
