internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The owners' settings for locations. Triggers keep locations out of the rows of an owner with ``Moment/LocationSharing/none``.
extension SQLiteCatalogue {
  func locationSharing(of owner: String) throws(LibraryError) -> Moment.LocationSharing {
    try read { db in
      let number = try Int64.fetchOne(db, sql: "SELECT location FROM owner WHERE name = ?", arguments: [owner])
      return number.flatMap(Moment.LocationSharing.init(number:)) ?? .private
    }
  }

  func setLocationSharing(
    _ sharing: Moment.LocationSharing, of owner: String, applyingToExisting: Bool
  ) throws(LibraryError) {
    try write { db in
      let id = try Self.ownerID(owner, db)
      try db.execute(sql: "UPDATE owner SET location = ? WHERE id = ?", arguments: [sharing.number, id])
      guard applyingToExisting else { return }
      guard sharing == Moment.LocationSharing.none else {
        return try db.execute(
          sql: "UPDATE moment SET location_reach = ?1 WHERE owner = ?2 AND location_reach <> ?1",
          arguments: [sharing.number, id])
      }
      try Self.eraseLocations(of: id, db)
      try Erasure(db).noteWipe()
    }
  }

  /// Removes the locations of an owner's moments and files, also those within facts.
  static func eraseLocations(of owner: Int64, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE moment SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = NULL, location = NULL,
          version = version + 1 WHERE owner = ?1 AND location IS NOT NULL;
        """, arguments: [owner])
    try db.execute(
      sql: """
        UPDATE file SET latitude = NULL, longitude = NULL, altitude = NULL, location_source = 'user', location = NULL
        WHERE owner = ?1 AND latitude IS NOT NULL
        """, arguments: [owner])
    try dropLocationsOfFacts("file.owner = ?", [owner], db)
  }

  /// Whether the location-sharing setting of an owner is ``Moment/LocationSharing/none``.
  static func wantsNoLocations(_ owner: Int64, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT location FROM owner WHERE id = ?")
    return try Int64.fetchOne(statement, arguments: [owner]) == Moment.LocationSharing.none.number
  }

  /// Whether there is anything for ``eraseLocations(of:_:)`` to remove.
  static func hasLocations(of owner: Int64, _ db: Database) throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM moment WHERE owner = ?1 AND location IS NOT NULL)
        OR EXISTS (SELECT 1 FROM file WHERE owner = ?1 AND latitude IS NOT NULL)
      """
    if try Bool.fetchOne(db, sql: sql, arguments: [owner]) == true { return true }
    return try contentsWithoutLocations("file.owner = ?", [owner], db).contains { try located($0, db) != nil }
  }

  /// Whether a file has a location, in its row or within its facts.
  static func hasLocation(file: Int64, _ db: Database) throws -> Bool {
    let sql = "SELECT latitude IS NOT NULL, content FROM file WHERE id = ?"
    guard let row = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [file]) else { return false }
    if row[0] { return true }
    guard let content = row[1] as Int64? else { return false }
    return try located(content, db) != nil
  }

  /// Removes locations from the facts of files whose owner wants none stored. Facts that a file of somebody else shares stay; no file of this owner shows them.
  static func dropLocationsOfFacts(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
    let update = try db.cachedStatement(sql: "UPDATE content SET facts = ? WHERE id = ?")
    for content in try contentsWithoutLocations(condition, arguments, db) {
      guard let info = try located(content, db) else { continue }
      try update.execute(arguments: [try FactsCoding.encode(info, keepsLocation: false), content])
    }
  }

  /// The contents of files for which a condition is true that no file of an owner with locations has.
  private static func contentsWithoutLocations(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT DISTINCT file.content FROM file WHERE \(condition) AND file.content IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM file AS other LEFT JOIN owner ON owner.id = other.owner
          WHERE other.content = file.content AND coalesce(owner.location, 1) <> 0)
        """, arguments: arguments)
  }

  /// The facts of a content, if they have a location.
  private static func located(_ content: Int64, _ db: Database) throws -> MediaInfo? {
    let select = try db.cachedStatement(sql: "SELECT facts FROM content WHERE id = ?")
    guard let facts = try Data.fetchOne(select, arguments: [content]),
      let info = try? JSONDecoder().decode(MediaInfo.self, from: facts), info.latitude != nil || info.longitude != nil
    else { return nil }
    return info
  }
}
