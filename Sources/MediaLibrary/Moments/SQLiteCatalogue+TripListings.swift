internal import GRDB

/// Listings of trips.
extension SQLiteCatalogue {
  func trips(
    of owners: [String], for audience: Moment.Scope.Audience, by order: Trip.Order, after: CatalogueFile.Cursor?,
    limit: Int
  ) throws(LibraryError) -> Trip.Page {
    let limit = Self.limit(limit)
    let word = order == .title ? "tn" : "ts"
    let start = try after.map { (cursor) throws(LibraryError) in
      try CursorWord(cursor, word, numbers: order == .title ? 1 : 2)
    }
    return try read { db in
      let scope = try MomentScope(
        Moment.Scope(owners: owners, audience: audience), showsOnlyClean: showsOnlyClean, db)
      let statement = try db.cachedStatement(
        sql: order == .title ? MomentQueries.tripsByTitle : MomentQueries.tripsByStart)
      var keys: [(title: String, started: Int64, id: Int64)] = []
      for owner in scope.owners {
        let position: StatementArguments =
          order == .title
          ? [start.map { String(decoding: $0.name, as: UTF8.self) } ?? "", start?.numbers[0] ?? 0]
          : [start?.numbers[0] ?? .max, start?.numbers[1] ?? .max]
        let rows = try Row.fetchCursor(
          statement, arguments: [owner] + position + [audience.reach - 1, limit + 1])
        while let row = try rows.next() {
          let id = try row.decode(Int64.self, atIndex: 1)
          if order == .title {
            keys.append((title: try row.decode(String.self, atIndex: 0), started: 0, id: id))
          } else {
            keys.append((title: "", started: try row.decode(Int64.self, atIndex: 0), id: id))
          }
        }
      }
      if order == .title {
        // In the order of the index: by the bytes of the titles.
        keys.sort { one, other in
          let (bytes, others) = (Array(one.title.utf8), Array(other.title.utf8))
          return bytes == others ? one.id < other.id : bytes.lexicographicallyPrecedes(others)
        }
      } else {
        keys.sort { ($0.started, $0.id) > ($1.started, $1.id) }
      }
      var page = try self.page(keys.map(\.id), limit: limit, for: audience, db) { index in
        let key = keys[index]
        return order == .title
          ? CursorWord(word, [key.id], name: Array(key.title.utf8)) : CursorWord(word, [key.started, key.id])
      }
      guard start == nil, audience == .owner else { return page }
      let damaged = try db.cachedStatement(
        sql: order == .title ? MomentQueries.tripsWithoutTitle : MomentQueries.tripsWithoutStart)
      for owner in scope.owners {
        page.damaged += try Int64.fetchAll(damaged, arguments: [owner, audience.reach - 1, limit])
          .map(Trip.ID.init(rawValue:))
      }
      return page
    }
  }

  func searchTrips(
    _ text: String, of owners: [String], for audience: Moment.Scope.Audience, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Trip.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "tw", numbers: 1).numbers[0] }
    return try read { db in
      let scope = try MomentScope(
        Moment.Scope(owners: owners, audience: audience), showsOnlyClean: showsOnlyClean, db)
      guard !scope.owners.isEmpty,
        let pattern = SearchPattern.match(text, in: "title description", owners: scope.owners)
      else { return Trip.Page(trips: []) }
      let ids = try Int64.fetchAll(
        db, sql: MomentQueries.searchTrips, arguments: [pattern, start ?? .max, audience.reach - 1, limit + 1])
      return try self.page(ids, limit: limit, for: audience, db) { CursorWord("tw", [ids[$0]]) }
    }
  }

  func page(
    _ ids: [Int64], limit: Int, for audience: Moment.Scope.Audience, _ db: Database, _ position: (Int) -> CursorWord
  ) throws -> Trip.Page {
    var page = Trip.Page(trips: [])
    var damaged: [Trip.ID] = []
    let statement = try db.cachedStatement(sql: MomentQueries.tripByID(for: audience, condition(for: audience)))
    for id in ids.prefix(limit) {
      guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
      do {
        page.trips.append(try TripRows.trip(row))
      } catch let error as LibraryError where error.code == .corrupt {
        // One damaged trip does not cost the listing.
        damaged.append(Trip.ID(rawValue: id))
      } catch is RowDecodingError {
        damaged.append(Trip.ID(rawValue: id))
      }
    }
    // Who may see a damaged trip is not known.
    if audience == .owner { page.damaged = damaged }
    if ids.count > limit { page.next = position(limit - 1).cursor }
    return page
  }
}
