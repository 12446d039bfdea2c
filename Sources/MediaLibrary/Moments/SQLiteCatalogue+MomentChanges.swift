internal import FileSupport
internal import GRDB
internal import MediaModel

/// New and changed moments.
extension SQLiteCatalogue {
  func add(_ moments: [Moment.New]) throws(LibraryError) -> [Moment.ID] {
    if moments.isEmpty { return [] }
    return try write { db in try moments.map { try add($0, db) } }
  }

  func add(_ new: Moment.New, _ db: Database) throws -> Moment.ID {
    let owner = try Self.ownerID(new.owner, db)
    let values =
      try new.file.map { try MomentValues(new, file: try Self.claim($0, for: owner, new.owner, db)) }
      ?? MomentValues(note: new)
    let location = keepsLocations ? values.location : nil
    try db.cachedStatement(sql: Self.insertMoment).execute(arguments: [
      owner, values.kind.number, new.file?.rawValue, values.title, values.caption, values.time, values.utcOffset,
      values.timeSource.rawValue, location?.latitude, location?.longitude, location?.altitude,
      location?.source.rawValue, location?.code, new.visibility.number, new.state.number, new.posted,
    ])
    let id = db.lastInsertedRowID
    if let hold = new.hold { try HeldText.moment(Moment.ID(rawValue: id)).setState(.held, hold, db) }
    var trips = new.trips?.map(\.rawValue) ?? []
    if new.trips == nil {
      let sql =
        "SELECT id FROM trip INDEXED BY trip_open WHERE owner = ? AND ended IS NULL ORDER BY started DESC LIMIT 1"
      trips = try Int64.fetchAll(try db.cachedStatement(sql: sql), arguments: [owner])
    }
    for trip in trips { try Self.append(id, to: trip, of: owner, db) }
    return Moment.ID(rawValue: id)
  }

  /// The file of a new moment, which becomes the owner's if it is nobody's.
  private static func claim(_ id: FileID, for owner: Int64, _ name: String, _ db: Database) throws -> CatalogueFile {
    let row = try Row.fetchOne(try db.cachedStatement(sql: FileQueries.byID), arguments: [id.rawValue])
    // By bytes, as the catalogue distinguishes owners: Swift takes canonically equivalent names as equal.
    guard let file = try row.map(FileRows.file),
      file.owner.map({ $0.utf8.elementsEqual(name.utf8) }) ?? true
    else { throw unknownFile(id) }
    if file.owner == nil {
      try assign([id], owner: name, collection: .unchanged, db)
    }
    return file
  }

  func change(
    _ id: Moment.ID, of owner: String, version: Int?, at time: Int, _ changes: [Moment.Change]
  ) throws(LibraryError) -> Moment {
    try write { db in
      try Self.check(version, of: id.rawValue, in: "moment", owner: owner, db)
      try change(id, at: time, changes, db)
      guard let row = try Row.fetchOne(db, sql: MomentQueries.byID, arguments: [id.rawValue]) else {
        throw LibraryError(.corrupt, LibraryError.damagedRow)
      }
      return try MomentRows.moment(row, for: .owner)
    }
  }

  /// Changes a moment, which has one version more then.
  func change(_ id: Moment.ID, at time: Int, _ changes: [Moment.Change], _ db: Database) throws {
    for change in changes { try apply(change, to: id, db) }
    try db.cachedStatement(sql: "UPDATE moment SET version = version + 1, changed = ? WHERE id = ?")
      .execute(arguments: [time, id.rawValue])
  }

  private func apply(_ change: Moment.Change, to id: Moment.ID, _ db: Database) throws {
    func set(_ columns: String, _ values: [(any DatabaseValueConvertible)?]) throws {
      try db.cachedStatement(sql: "UPDATE moment SET \(columns) WHERE id = ?")
        .execute(arguments: StatementArguments(values + [id.rawValue]))
    }
    switch change {
    case .title(let title): try set("edited = iif(title IS ?, edited, 1), title = ?", [title, title])
    case .caption(let caption): try set("edited = iif(caption IS ?, edited, 1), caption = ?", [caption, caption])
    case .time(let time, let offset):
      try set(
        "time = ?, utc_offset = ?, time_source = ?",
        [time, Moment.valid(utcOffset: offset), MediaInfo.TimeSource.user.rawValue])
    case .location(let location):
      try set(Self.locationColumns, Self.values(of: keepsLocations ? location : nil))
      // As it is for what is added now.
      let least = Moment.LocationSharing.private.sql
      try set("location_reach = max(\(least), (SELECT location FROM owner WHERE owner.id = moment.owner))", [])
    case .visibility(let visibility): try set("visibility = ?", [visibility.number])
    case .state(let state): try set("state = ?", [state.number])
    case .hold(let decision): try HeldText.moment(id).setState(.held, decision, db)
    }
  }

  /// Fails unless a row is of an owner and has a version.
  static func check(_ version: Int?, of id: Int64, in table: String, owner: String, _ db: Database) throws {
    let sql = """
      SELECT \(table).version FROM \(table) CROSS JOIN owner ON owner.id = \(table).owner
      WHERE \(table).id = ? AND owner.name = ?
      """
    guard let current = try Int.fetchOne(try db.cachedStatement(sql: sql), arguments: [id, owner]) else {
      throw LibraryError(
        .invalidRequest, "The owner has no \(table) with this id; list the owner's \(table)s again.",
        detail: "\(table) \(id)")
    }
    if let version, version != current {
      var error = LibraryError(
        .versionConflict,
        "The \(table) has changed: it has version \(current), and the change was made on version \(version). Read it again.",
        detail: "\(table) \(id)")
      error.currentVersion = current
      throw error
    }
  }

  // MARK: Files

  func addUse(_ name: String, of file: FileID) throws(LibraryError) {
    try write { db in
      guard try Bool.fetchOne(db, sql: "SELECT 1 FROM file WHERE id = ?", arguments: [file.rawValue]) == true else {
        throw Self.unknownFile(file)
      }
      try db.execute(sql: "INSERT OR IGNORE INTO file_use VALUES (?, ?)", arguments: [file.rawValue, name])
    }
  }

  func endUse(_ name: String, of file: FileID) throws(LibraryError) {
    try write { db in
      try db.execute(sql: "DELETE FROM file_use WHERE file = ? AND name = ?", arguments: [file.rawValue, name])
    }
  }

  private static let insertMoment = """
    INSERT INTO moment (owner, kind, file, title, caption, time, utc_offset, time_source, latitude, longitude, altitude,
      location_source, location, location_reach, visibility, state, created, changed, hidden, clean)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
      max(\(Moment.LocationSharing.private.sql), (SELECT location FROM owner WHERE id = ?1)),
      ?14, ?15, ?16, ?16, coalesce((SELECT \(CatalogueSchema.isBlocked("file")) FROM file WHERE file.id = ?3), 0),
      \(CatalogueSchema.isClean("?3")))
    """
}

/// The values of a new moment's columns.
private struct MomentValues {
  let kind: Moment.Kind
  let title: String?
  let caption: String?
  let time: Int
  let utcOffset: Int?
  let timeSource: MediaInfo.TimeSource
  let location: Location?

  init(note new: Moment.New) {
    (kind, title, caption) = (.note, new.title, new.caption)
    time = new.time ?? new.posted
    // The time of posting is an instant; which time zone its owner was in is not known.
    utcOffset = Moment.valid(utcOffset: new.time == nil ? nil : new.utcOffset)
    timeSource = .user
    location = if case .given(let location) = new.location { location } else { nil }
  }

  init(_ new: Moment.New, file: CatalogueFile) throws {
    guard let kind = Moment.Kind(file.kind) else {
      throw LibraryError(
        .invalidRequest, "Only photos, videos and audio files can be moments; this file is of another kind.",
        detail: "file \(file.id.rawValue)")
    }
    self.kind = kind
    (title, caption) = (new.title ?? file.title, new.caption ?? file.caption)
    if let time = new.time {
      (self.time, utcOffset, timeSource) = (time, Moment.valid(utcOffset: new.utcOffset), .user)
    } else {
      (time, timeSource) = (file.time, file.timeSource)
      // The time of the last write is an instant, but not that of a capture: no offset is known.
      let taken = timeSource.rawValue == "file" ? nil : try file.info()?.takenAt
      utcOffset = taken?.utcOffset
    }
    location =
      switch new.location {
      case .ofFile: file.location
      case .given(let location): location
      }
  }
}

extension Moment {
  /// An offset in whole minutes within ±15 h; nil for any other.
  static func valid(utcOffset: Int?) -> Int? {
    utcOffset.flatMap { (-54_000...54_000).contains($0) && $0 % 60 == 0 ? $0 : nil }
  }
}
