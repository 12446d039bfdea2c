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
      return try rows.map { row in
        guard let address = ContentDigest(bytes: FileRows.bytes(row, 1) ?? []),
          let source = Rendition.Source(rawValue: row[7])
        else { throw LibraryError(.corrupt, "The catalogue is damaged.", detail: "a rendition of file \(id.rawValue)") }
        return StoredRendition(
          name: row[0], address: address, type: MediaType(rawValue: row[2]), width: row[3], height: row[4],
          frames: row[5], bytes: row[6], from: source)
      }
    }
  }

  func newest(
    _ scope: CatalogueScope, in times: Range<Int>?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "t", numbers: 2) }
    let limit = Self.limit(limit)
    return try read { db in
      var arguments: [(any DatabaseValueConvertible)?] = []
      switch scope {
      case .photosAndVideos, .all: break
      default:
        guard let argument = try Self.argument(of: scope, db) else { return CataloguePage(files: []) }
        arguments.append(argument)
      }
      arguments.append(times?.lowerBound ?? .min)
      if let start {
        // A page after the first begins before the end of the times anyway.
        arguments += [start.numbers[0], Data(start.name), start.numbers[1]]
      } else {
        arguments.append(times?.upperBound ?? .max)
      }
      let rows = try Row.fetchCursor(
        try db.cachedStatement(
          sql: FileQueries.newest(scope, after: start != nil)),
        arguments: StatementArguments(arguments + [limit + 1]))
      return try Self.page(rows, limit: limit) { row in
        CursorWord("t", [row[15], row[0]], name: FileRows.bytes(row, 2) ?? [])
      }
    }
  }

  func files(under folder: PathBytes, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "u", numbers: 1) }
    return try read { db in
      var page = CataloguePage(files: [])
      var (path, name) = (folder, [UInt8]())
      if let start {
        let found = try Data.fetchOne(db, sql: "SELECT path FROM folder WHERE id = ?", arguments: [start.numbers[0]])
        guard let found, PathBytes(found).isInside(folder) else {
          throw LibraryError(.invalidRequest, "The cursor belongs to another listing.")
        }
        (path, name) = (PathBytes(found), start.name)
      }
      let (from, to) = folder.below
      var next: PathBytes? = path
      while let current = next {
        if let id = try Int64.fetchOne(db, sql: FileQueries.folderID, arguments: [current.data]) {
          let rows = try Row.fetchCursor(
            db, sql: FileQueries.inFolder, arguments: [id, Data(name), limit + 1 - page.files.count])
          var last: CursorWord?
          while let row = try rows.next() {
            guard page.files.count < limit else {
              page.next = last?.cursor ?? page.next
              return page
            }
            page.files.append(try FileRows.file(row))
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

  func files(of state: FileState, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage {
    guard state != .done else {
      throw LibraryError(.invalidRequest, "Files in the state “done” are listed by time; use newest.")
    }
    return try listing(FileQueries.byState, order: "i", after: after, limit: limit) { [state.number, $0] }
  }

  func failures(
    code: MediaFailure.Code?, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    if let code {
      return try listing(FileQueries.failedOfCode, order: "i", after: after, limit: limit) { [code.rawValue, $0] }
    }
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "f", numbers: 1) }
    return try read { db in
      let rows = try Row.fetchCursor(
        db, sql: FileQueries.failed,
        arguments: [
          String(decoding: start?.name ?? [], as: UTF8.self), start?.numbers[0] ?? 0, limit + 1,
        ])
      return try Self.page(rows, limit: limit) { row in
        CursorWord("f", [row[0]], name: Array((row[10] as String? ?? "").utf8))
      }
    }
  }

  func files(
    sharingContentWith id: FileID, after: CatalogueCursor?, limit: Int
  ) throws(LibraryError) -> CataloguePage {
    try listing(FileQueries.sharing, order: "i", after: after, limit: limit) { [id.rawValue, $0] }
  }

  func duplicates(after: CatalogueCursor?, limit: Int) throws(LibraryError) -> DuplicatePage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "d", numbers: 2) }
    return try read { db in
      let rows = try Row.fetchCursor(
        db, sql: FileQueries.duplicates,
        arguments: [start?.numbers[0] ?? Int64.max, start?.numbers[1] ?? Int64.max, limit + 1])
      var page = DuplicatePage(groups: [])
      var last: CursorWord?
      while let row = try rows.next() {
        guard page.groups.count < limit else {
          page.next = last?.cursor
          break
        }
        page.groups.append(
          DuplicateGroup(
            digest: FileRows.bytes(row, 0).flatMap { ContentDigest(bytes: $0) }, bytes: row[1], files: row[2],
            example: FileID(rawValue: row[4])))
        last = CursorWord("d", [row[1], row[3]])
      }
      return page
    }
  }

  func search(_ text: String, after: CatalogueCursor?, limit: Int) throws(LibraryError) -> CataloguePage {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return CataloguePage(files: []) }
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "w", numbers: 1) }
    return try read { db in
      let rows = try Row.fetchCursor(
        db, sql: FileQueries.search, arguments: [pattern, start?.numbers[0] ?? Int64.max, limit + 1])
      return try Self.page(rows, limit: limit) { row in CursorWord("w", [row[33]]) }
    }
  }

  func counts() throws(LibraryError) -> [LibraryCount] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT state, kind, failure, files, bytes FROM tally WHERE files > 0 ORDER BY state, kind, failure"
      ).compactMap { row in
        guard let state = FileState(number: row[0]) else { return nil }
        let failure: String = row[2]
        return LibraryCount(
          state: state, kind: MediaKind(number: row[1]),
          failure: failure.isEmpty ? nil : MediaFailure.Code(rawValue: failure), files: row[3], bytes: row[4])
      }
    }
  }

  // MARK: What they share

  /// A listing in the order of ids.
  private func listing(
    _ sql: String, order: String, after: CatalogueCursor?, limit: Int,
    arguments: (Int64) -> [(any DatabaseValueConvertible)?]
  ) throws(LibraryError) -> CataloguePage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, order, numbers: 1) }
    return try read { db in
      let rows = try Row.fetchCursor(
        db, sql: sql, arguments: StatementArguments(arguments(start?.numbers[0] ?? 0) + [limit + 1]))
      return try Self.page(rows, limit: limit) { row in CursorWord(order, [row[0]]) }
    }
  }

  /// So many rows, and where to go on if there was one more.
  static func page(_ rows: RowCursor, limit: Int, _ position: (Row) -> CursorWord) throws -> CataloguePage {
    var page = CataloguePage(files: [])
    var last: CursorWord?
    while let row = try rows.next() {
      guard page.files.count < limit else {
        page.next = last?.cursor
        break
      }
      page.files.append(try FileRows.file(row))
      if page.files.count == limit { last = position(row) }
    }
    return page
  }

  /// The value that rows of a scope have in its column; nil when there are none.
  private static func argument(
    of scope: CatalogueScope, _ db: Database
  ) throws -> (any DatabaseValueConvertible)? {
    switch scope {
    case .photosAndVideos, .all: nil
    case .kind(let kind): kind.number
    case .owner(let name):
      try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [name])
    case .collection(let name, let owner):
      try Int64.fetchOne(
        db,
        sql: """
          SELECT collection.id FROM owner CROSS JOIN collection ON collection.owner = owner.id
          WHERE owner.name = ? AND collection.name = ?
          """, arguments: [owner, name])
    case .folder(let path): try Int64.fetchOne(db, sql: FileQueries.folderID, arguments: [path.data])
    }
  }
}
