internal import GRDB

/// Pages of moments.
extension SQLiteCatalogue {
  func moment(_ id: Moment.ID, in scope: Moment.Scope) throws(LibraryError) -> Moment? {
    let audience = scope.audience
    return try read { db in
      let resolved = try MomentScope(scope, showsOnlyClean: showsOnlyClean, db)
      let filter = resolved.timed
      let owners = resolved.owners.map { "\($0)" }.joined(separator: ", ")
      let sql = "\(MomentQueries.byID) AND moment.owner IN (\(owners)) AND moment.reach >= ?\(filter.sql)"
      let arguments = [id.rawValue, resolved.reach] + filter.arguments
      return try Row.fetchOne(db, sql: sql, arguments: StatementArguments(arguments))
        .map { try MomentRows.moment($0, for: audience) }
    }
  }

  func moments(of file: FileID) throws(LibraryError) -> [Moment] {
    try read { db in
      let sql = """
        SELECT \(MomentRows.columns) FROM moment INDEXED BY moment_file CROSS JOIN owner ON owner.id = moment.owner
        WHERE moment.file IS NOT NULL AND moment.file = ? ORDER BY moment.id
        """
      return try Row.fetchAll(db, sql: sql, arguments: [file.rawValue]).map { try MomentRows.moment($0, for: .owner) }
    }
  }

  func owners() throws(LibraryError) -> [String] {
    try read { db in try String.fetchAll(db, sql: "SELECT name FROM owner ORDER BY name") }
  }

  func owner(of id: Int64, in table: String) throws(LibraryError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: "SELECT owner.name FROM \(table) CROSS JOIN owner ON owner.id = \(table).owner WHERE \(table).id = ?",
        arguments: [id])
    }
  }

  func count(of owner: String, _ kind: Moment.Kind) throws(LibraryError) -> Int {
    try read { db in
      let sql =
        "SELECT count(*) FROM owner CROSS JOIN moment ON moment.owner = owner.id WHERE owner.name = ? AND kind = ?"
      return try Int.fetchOne(db, sql: sql, arguments: [owner, kind.number]) ?? 0
    }
  }

  func newest(
    _ scope: Moment.Scope, by order: Moment.Order, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    let limit = Self.limit(limit)
    let word = order == .time ? "mt" : "ma"
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, word, numbers: 2).numbers }
    return try read { db in
      let resolved = try MomentScope(scope, showsOnlyClean: showsOnlyClean, db)
      // In the order of times the range is that of the index; in the other it is a condition.
      let filter = order == .time ? resolved.filter : resolved.timed
      let times = order == .time ? resolved.times : nil
      let position = start ?? [Int64(times?.upperBound ?? .max), 0]
      let statement = try db.cachedStatement(sql: MomentQueries.keys(by: order, filter))
      var keys: [[Int64]] = []
      for owner in resolved.owners {
        let arguments =
          [owner, Int64(times?.lowerBound ?? .min)] + position + [resolved.reach] + filter.arguments + [
            Int64(limit + 1)
          ]
        statement.setUncheckedArguments(StatementArguments(arguments))
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() { keys.append([row[0], row[1]]) }
      }
      keys.sort { $0.lexicographicallyPrecedes($1, by: >) }
      return try Self.page(keys, limit: limit, for: scope.audience, db) { CursorWord(word, $0) }
    }
  }

  func search(
    _ text: String, in scope: Moment.Scope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mw", numbers: 1).numbers[0] }
    return try read { db in
      let resolved = try MomentScope(scope, showsOnlyClean: showsOnlyClean, db)
      guard !resolved.owners.isEmpty,
        let pattern = SearchPattern.match(text, in: "title caption", owners: resolved.owners)
      else { return Moment.Page(moments: []) }
      let range = SearchKey.range(of: resolved.times)
      let filter = resolved.timed
      let arguments: StatementArguments =
        [pattern, range.lowerBound, min(start ?? .max, range.upperBound), resolved.reach]
        + StatementArguments(filter.arguments) + [limit + 1]
      let rows = try Row.fetchCursor(db, sql: MomentQueries.search(filter), arguments: arguments)
      var keys: [[Int64]] = []
      while let row = try rows.next() { keys.append([row[1], row[0]]) }
      return try Self.page(keys, limit: limit, for: scope.audience, db) { CursorWord("mw", [$0[0]]) }
    }
  }

  func members(
    of cluster: LocationMap.Cluster.ID, in scope: Moment.Scope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    let cell = try cluster.knownCell
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mp", numbers: 3).numbers }
    return try read { db in
      let resolved = try MomentScope(scope, showsOnlyClean: showsOnlyClean, db)
      let filter = resolved.timed
      // A cursor is untrusted: it must not begin before the cluster does.
      let isInside = (start?[0] ?? .min) >= cell.locations.lowerBound
      let position = isInside ? start ?? [] : [cell.locations.lowerBound, .min, 0]
      let statement = try db.cachedStatement(sql: MomentQueries.members(filter))
      var keys: [[Int64]] = []
      for owner in resolved.owners {
        let arguments =
          [owner] + position + [cell.locations.upperBound, resolved.reach] + filter.arguments + [Int64(limit + 1)]
        statement.setUncheckedArguments(StatementArguments(arguments))
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() { keys.append([row[0], row[1], row[2]]) }
      }
      keys.sort { $0.lexicographicallyPrecedes($1) }
      return try Self.page(keys, limit: limit, for: scope.audience, db) { CursorWord("mp", $0) }
    }
  }

  /// The moments of sorted keys, of which the last number is an id: at most `limit`, with a cursor if there is one more.
  private static func page(
    _ keys: [[Int64]], limit: Int, for audience: Moment.Scope.Audience, _ db: Database,
    _ position: ([Int64]) -> CursorWord
  ) throws -> Moment.Page {
    var page = Moment.Page(moments: [])
    let statement = try db.cachedStatement(sql: MomentQueries.byID)
    for key in keys.prefix(limit) {
      guard let id = key.last, let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
      try page.append(row, for: audience)
    }
    if keys.count > limit { page.next = position(keys[limit - 1]).cursor }
    return page
  }
}

extension Moment.Page {
  /// Adds the moment of a row, or its id if the row is damaged.
  mutating func append(_ row: Row, for audience: Moment.Scope.Audience) throws {
    do {
      moments.append(try MomentRows.moment(row, for: audience))
    } catch let error as LibraryError where error.code == .corrupt {
      damaged.append(Moment.ID(rawValue: row[0]))
    } catch is RowDecodingError {
      damaged.append(Moment.ID(rawValue: row[0]))
    }
  }
}
