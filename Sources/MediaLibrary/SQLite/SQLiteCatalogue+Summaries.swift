internal import GRDB
internal import MediaModel

/// Search, duplicates and counts.
extension SQLiteCatalogue {
  func search(
    _ text: String, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "w", numbers: 1) }
    return try read { db in
      guard let scope = try RowScope(scope, db), let pattern = SearchPattern.match(text, owner: scope.owner) else {
        return CatalogueFile.Page(files: [])
      }
      let (keys, filter) = (SearchKey.range(of: scope.times), scope.filter)
      let rows = try Row.fetchCursor(
        db, sql: FileQueries.search(filter),
        arguments: [pattern, keys.lowerBound, min(keys.upperBound, start?.numbers[0] ?? .max)]
          + StatementArguments(filter.arguments) + [limit + 1])
      return try Self.page(rows, limit: limit) { row in CursorWord("w", [row[34]]) }
    }
  }

  func duplicates(
    in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> CatalogueFile.Duplicates.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "d", numbers: 2) }
    return try read { db in
      var page = CatalogueFile.Duplicates.Page(groups: [])
      guard let scope = try RowScope(scope, db) else { return page }
      let filter = StatementArguments(scope.filter.arguments)
      let place: StatementArguments = [start?.numbers[0] ?? Int64.max, start?.numbers[1] ?? Int64.max]
      let rows = try Row.fetchCursor(
        db, sql: SummaryQueries.duplicates(scope),
        arguments: filter + filter + (scope.owner == nil ? [] : filter) + place + filter + [limit + 1])
      var last: CursorWord?
      while let row = try rows.next() {
        guard page.groups.count < limit else {
          page.next = last?.cursor
          break
        }
        page.groups.append(
          CatalogueFile.Duplicates(
            digest: FileRows.bytes(row, 0).flatMap { ContentDigest(bytes: $0) }, bytes: row[1], files: row[2],
            example: FileID(rawValue: row[4])))
        last = CursorWord("d", [row[1], row[3]])
      }
      return page
    }
  }

  func counts(in scope: CatalogueScope) throws(LibraryError) -> [CatalogueFile.Count] {
    try read { db in
      guard let scope = try RowScope(scope, db) else { return [] }
      guard scope.collection == nil, scope.folder == nil, scope.times == nil else {
        return try Row.fetchAll(
          db, sql: SummaryQueries.counts(scope),
          arguments: scope.rangeArguments + StatementArguments(scope.filter.arguments)
        )
        .compactMap(Self.count)
      }
      let counts = try Row.fetchAll(db, sql: SummaryQueries.counts, arguments: [scope.owner ?? 0])
        .compactMap(Self.count)
      guard let kinds = scope.kinds else { return counts }
      return counts.filter { $0.kind.map(kinds.contains) ?? false }
    }
  }

  private static func count(_ row: Row) -> CatalogueFile.Count? {
    guard let state = CatalogueFile.State(number: row[0]) else { return nil }
    let failure: String = row[2]
    return CatalogueFile.Count(
      state: state, kind: MediaKind(number: row[1]),
      failure: failure.isEmpty ? nil : MediaFailure.Code(rawValue: failure), files: row[3], bytes: row[4])
  }
}
