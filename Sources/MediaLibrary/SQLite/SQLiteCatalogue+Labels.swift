internal import GRDB

/// Owners, collections, texts and locations that people assign to files.
extension SQLiteCatalogue {
  func assign(_ files: [FileID], owner: String?, collection: MediaCollection.Choice) throws(LibraryError) {
    try write { db in try Self.assign(files, owner: owner, collection: collection, db) }
  }

  static func assign(
    _ files: [FileID], owner: String?, collection: MediaCollection.Choice, _ db: Database
  ) throws {
    let ownerID = try owner.map { try Self.ownerID($0, db) }
    let statement = try db.cachedStatement(
      sql: """
        UPDATE file SET owner = ?1, collection = CASE WHEN ?2 THEN iif(owner IS ?1, collection, NULL) ELSE ?3 END
        WHERE id = ?4
        """)
    var collectionID: Int64?
    if let ownerID {
      switch collection {
      case .unchanged, .none: break
      case .open:
        collectionID = try Int64.fetchOne(
          db, sql: "SELECT id FROM collection WHERE owner = ? AND open", arguments: [ownerID])
      case .named(let name): collectionID = try Self.collectionID(name, owner: ownerID, db)
      }
    }
    for file in files {
      try statement.execute(arguments: [ownerID, collection == .unchanged, collectionID, file.rawValue])
      guard db.changesCount > 0 else { throw unknownFile(file) }
    }
    guard let ownerID, try wantsNoLocations(ownerID, db) else { return }
    for file in files { try dropLocationsOfFacts("file.id = ?", [file.rawValue], db) }
  }

  func setText(of file: FileID, title: String?, caption: String?) throws(LibraryError) {
    try write { db in try Self.set("title = ?, caption = ?", [title, caption], of: file, db) }
  }

  func setLocation(of file: FileID, _ location: Location?) throws(LibraryError) {
    try write { db in try Self.set(Self.locationColumns, Self.values(of: location), of: file, db) }
  }

  func openCollection(_ name: String, owner: String, title: String?, at time: Int) throws(LibraryError) {
    try write { db in
      let owner = try Self.ownerID(owner, db)
      try db.execute(sql: "UPDATE collection SET open = 0 WHERE owner = ? AND open", arguments: [owner])
      try db.execute(
        sql: """
          INSERT INTO collection (owner, name, title, open, started) VALUES (?, ?, ?, 1, ?)
          ON CONFLICT (owner, name) DO UPDATE SET open = 1, title = coalesce(excluded.title, title)
          """, arguments: [owner, name, title, time])
    }
  }

  func closeCollection(of owner: String) throws(LibraryError) {
    try write { db in
      try db.execute(
        sql: "UPDATE collection SET open = 0 WHERE owner = (SELECT id FROM owner WHERE name = ?) AND open",
        arguments: [owner])
    }
  }

  func setTitle(_ title: String?, ofCollection name: String, owner: String) throws(LibraryError) {
    let sql = "UPDATE collection SET title = ? WHERE owner = (SELECT id FROM owner WHERE name = ?) AND name = ?"
    try write { db in
      try db.cachedStatement(sql: sql).execute(arguments: [title, owner, name])
      if db.changesCount == 0 {
        throw LibraryError(
          .invalidRequest, "The library has no owner or collection with this name; list the collections again.")
      }
    }
  }

  func collections(
    of owner: String, by order: MediaCollection.Order, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> MediaCollection.Page {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in
      try CursorWord(cursor, order == .name ? "n" : "s", numbers: order == .name ? 0 : 2)
    }
    return try read { db in
      let rows: RowCursor
      switch order {
      case .name:
        rows = try Row.fetchCursor(
          db, sql: FileQueries.collectionsByName,
          arguments: [owner, start.map { String(decoding: $0.name, as: UTF8.self) } ?? "", limit + 1])
      case .started:
        rows = try Row.fetchCursor(
          db, sql: FileQueries.collectionsByStart,
          arguments: [owner, start?.numbers[0] ?? Int64.max, start?.numbers[1] ?? Int64.max, limit + 1])
      }
      var page = MediaCollection.Page(collections: [])
      var last: CursorWord?
      while let row = try rows.next() {
        guard page.collections.count < limit else {
          page.next = last?.cursor
          break
        }
        page.collections.append(
          MediaCollection(
            name: row[0], owner: row[1], title: row[2], isOpen: row[3], started: row[4], files: row[5]))
        let name: String = row[0]
        last = order == .name ? CursorWord("n", [], name: Array(name.utf8)) : CursorWord("s", [row[4], row[6]])
      }
      return page
    }
  }

  static func ownerID(_ name: String, _ db: Database) throws -> Int64 {
    try db.execute(sql: "INSERT OR IGNORE INTO owner (name) VALUES (?)", arguments: [name])
    return try Int64.fetchOne(db, sql: "SELECT id FROM owner WHERE name = ?", arguments: [name]) ?? 0
  }

  private static func collectionID(_ name: String, owner: Int64, _ db: Database) throws -> Int64 {
    try db.execute(
      sql: "INSERT OR IGNORE INTO collection (owner, name, open, started) VALUES (?, ?, 0, 0)",
      arguments: [owner, name])
    return try Int64.fetchOne(
      db, sql: "SELECT id FROM collection WHERE owner = ? AND name = ?", arguments: [owner, name]) ?? 0
  }
}
