internal import FileSupport
internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Pages of files.
extension SQLiteCatalogue {
  func file(at path: PathBytes) throws(LibraryError) -> CatalogueFile? {
    try read { db in
      guard let folder = try Int64.fetchOne(db, sql: FileQueries.folderID, arguments: [path.folder.data]) else {
        return nil
      }
      return try Row.fetchOne(db, sql: FileQueries.byPath, arguments: [folder, Data(path.name)]).map(FileRows.file)
    }
  }

  func file(_ id: FileID) throws(LibraryError) -> CatalogueFile? {
    try read { db in try Row.fetchOne(db, sql: FileQueries.byID, arguments: [id.rawValue]).map(FileRows.file) }
  }

  func renditions(of id: FileID) throws(LibraryError) -> [StoredRendition] {
    try read { db in
      let rows = try Row.fetchAll(db, sql: FileQueries.renditions, arguments: [id.rawValue])
      // A damaged one counts as missing; a repair says so, and the next scan makes it again.
      return rows.compactMap { (try? Self.rendition($0)) ?? nil }
    }
  }

  private static func rendition(_ row: Row) throws -> StoredRendition? {
    guard let address = ContentDigest(bytes: FileRows.bytes(row, 1) ?? []),
      let source = Rendition.Source(rawValue: try row.decode(atIndex: 7))
    else { return nil }
    return StoredRendition(
      name: try row.decode(atIndex: 0), address: address, type: MediaType(rawValue: try row.decode(atIndex: 2)),
      width: try row.decode(atIndex: 3), height: try row.decode(atIndex: 4), frames: try row.decode(atIndex: 5),
      bytes: try row.decode(atIndex: 6), from: source)
  }

  func newest(_ scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError)
    -> CatalogueFile.Page
  {
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "t", numbers: 2) }
    let limit = Self.limit(limit)
    return try read { db in
      guard let scope = try RowScope(scope, db) else { return CatalogueFile.Page(files: []) }
      // A page after the first begins before the end of the times in any case.
      let until: StatementArguments =
        start.map { [$0.numbers[0], Data($0.name), $0.numbers[1]] } ?? [scope.times?.upperBound ?? .max]
      var arguments = StatementArguments()
      for range in scope.ranges {
        arguments += StatementArguments(range.arguments) + [scope.times?.lowerBound ?? .min] + until
      }
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: FileQueries.newest(scope, after: start != nil)),
        arguments: arguments + [limit + 1])
      return try Self.page(rows, limit: limit) { row in
        CursorWord("t", [row[15], row[0]], name: FileRows.bytes(row, 2) ?? [])
      }
    }
  }

  func files(
    under folder: PathBytes, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "u", numbers: 1) }
    return try read { db in
      var page = CatalogueFile.Page(files: [])
      guard let filter = try RowScope(scope, db)?.filter else { return page }
      let inFolder = FileQueries.inFolder(filter)
      var (path, name) = (folder, [UInt8]())
      if let start {
        let found = try Data.fetchOne(db, sql: "SELECT path FROM folder WHERE id = ?", arguments: [start.numbers[0]])
        guard let found, PathBytes(found).isInside(folder) else {
          throw LibraryError(
            .invalidRequest, "The cursor is from a listing with other parameters; start again without a cursor.")
        }
        (path, name) = (PathBytes(found), start.name)
      }
      let (from, to) = folder.below
      var next: PathBytes? = path
      while let current = next {
        if let id = try Int64.fetchOne(db, sql: FileQueries.folderID, arguments: [current.data]) {
          let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: inFolder),
            arguments: [id, Data(name)] + StatementArguments(filter.arguments) + [limit + 1 - page.files.count])
          var last: CursorWord?
          while let row = try rows.next() {
            guard page.files.count < limit else {
              page.next = last?.cursor ?? page.next
              return page
            }
            try page.append(row)
            last = CursorWord("u", [id], name: FileRows.bytes(row, 2) ?? [])
            page.next = last?.cursor
          }
        }
        name = []
        next = try Row.fetchOne(
          db, sql: FileQueries.allFoldersAfter, arguments: [max(current, from).data, to.data, 1]
        ).map { PathBytes(FileRows.bytes($0, 0) ?? []) }
      }
      page.next = nil
      return page
    }
  }

  func files(
    of state: CatalogueFile.State, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    guard state != .done else {
      throw LibraryError(
        .invalidRequest, "This listing does not include files in the state 'done'; use `newest` for them.")
    }
    return try listing(FileQueries.byState, of: state.number, in: scope, after: after, limit: limit)
  }

  func failures(
    code: MediaFailure.Code?, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    if let code {
      return try listing(FileQueries.failedOfCode, of: code.rawValue, in: scope, after: after, limit: limit)
    }
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "f", numbers: 1) }
    return try read { db in
      guard let filter = try RowScope(scope, db)?.filter else { return CatalogueFile.Page(files: []) }
      let rows = try Row.fetchCursor(
        db, sql: FileQueries.failed(filter),
        arguments: [String(decoding: start?.name ?? [], as: UTF8.self), start?.numbers[0] ?? 0]
          + StatementArguments(filter.arguments) + [limit + 1])
      return try Self.page(rows, limit: limit) { row in
        CursorWord("f", [row[0]], name: Array((row[10] as String? ?? "").utf8))
      }
    }
  }

  func files(
    sharingContentWith id: FileID, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    try listing(FileQueries.sharing, of: id.rawValue, in: scope, after: after, limit: limit)
  }

  // MARK: Shared

  /// A listing in the order of ids.
  /// - Parameter key: The value that the rows share.
  private func listing(
    _ sql: (RowScope.Filter) -> String, of key: some DatabaseValueConvertible, in scope: CatalogueScope,
    after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "i", numbers: 1) }
    return try read { db in
      guard let filter = try RowScope(scope, db)?.filter else { return CatalogueFile.Page(files: []) }
      let rows = try Row.fetchCursor(
        db, sql: sql(filter),
        arguments: [key, start?.numbers[0] ?? 0] + StatementArguments(filter.arguments) + [limit + 1])
      return try Self.page(rows, limit: limit) { row in CursorWord("i", [row[0]]) }
    }
  }

  /// At most `limit` rows, with a cursor if there is one more.
  static func page(_ rows: RowCursor, limit: Int, _ position: (Row) -> CursorWord) throws -> CatalogueFile.Page {
    var page = CatalogueFile.Page(files: [])
    var last: CursorWord?
    while let row = try rows.next() {
      guard page.files.count < limit else {
        page.next = last?.cursor
        break
      }
      if try page.append(row), page.files.count == limit { last = position(row) }
    }
    return page
  }
}
