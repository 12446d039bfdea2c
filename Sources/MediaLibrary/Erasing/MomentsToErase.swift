internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What identifies a page of the moments to erase in a snapshot; without moments, the trips.
struct MomentsToErase {
  private struct Gone {
    let id: Int64
    let owner: String
    let created: Int64
    /// The file with its path; nil for a note.
    let file: SnapshotMatch.File?
    /// Whether no other moment of the file stays.
    let isLast: Bool
  }

  private let moments: [Gone]
  private let trips: [(id: Int64, owner: String, started: Int64, title: String)]
  /// The starts of trips that stay, by owner.
  private let remainingStarts: [String: Set<Int64>]

  /// The last moment of the page; nil for the page of the trips, which is the last one.
  var last: Int64? { moments.last?.id }

  /// Those of the moments that an erasure has collected which follow another one; the trips, if there are none.
  init(_ db: Database, after: Int64, limit: Int) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT moment.id, CAST(owner.name AS TEXT), CAST(moment.created AS INTEGER), file.id, CAST(folder.path AS BLOB),
          CAST(file.name AS BLOB), NOT EXISTS (
            SELECT 1 FROM moment AS other INDEXED BY moment_file
            WHERE other.file IS NOT NULL AND other.file = file.id AND other.id NOT IN (SELECT id FROM gone_moment))
        FROM gone_moment CROSS JOIN moment ON moment.id = gone_moment.id CROSS JOIN owner ON owner.id = moment.owner
        LEFT JOIN file ON file.id = moment.file LEFT JOIN folder ON folder.id = file.folder
        WHERE gone_moment.id > ? ORDER BY gone_moment.id LIMIT ?
        """, arguments: [after, limit])
    var moments: [Gone] = []
    while let row = try rows.next() {
      var file: SnapshotMatch.File?
      if let id = row[3] as Int64?, let folder = row[4] as Data?, let name = row[5] as Data? {
        file = SnapshotMatch.File(id: id, folder: folder, name: name)
      }
      moments.append(Gone(id: row[0], owner: row[1], created: row[2], file: file, isLast: row[6]))
    }
    self.moments = moments
    guard moments.isEmpty else {
      (trips, remainingStarts) = ([], [:])
      return
    }
    trips = try Row.fetchAll(
      db,
      sql: """
        SELECT trip.id, CAST(owner.name AS TEXT), CAST(trip.started AS INTEGER), CAST(trip.title AS TEXT)
        FROM gone_trip CROSS JOIN trip ON trip.id = gone_trip.id CROSS JOIN owner ON owner.id = trip.owner
        """
    ).map { ($0[0], $0[1], $0[2], $0[3]) }
    remainingStarts = try Row.fetchAll(
      db,
      sql: """
        SELECT CAST(owner.name AS TEXT), CAST(trip.started AS INTEGER) FROM trip CROSS JOIN owner ON owner.id = trip.owner
        WHERE trip.owner IN (SELECT trip.owner FROM gone_trip CROSS JOIN trip ON trip.id = gone_trip.id)
          AND trip.id NOT IN (SELECT id FROM gone_trip)
        """
    ).reduce(into: [:]) { $0[$1[0], default: []].insert($1[1]) }
  }

  /// Collects them in a snapshot in which ids mean the same: they are never given again, and the owner has to agree.
  func fill(_ db: Database) throws {
    let moment = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO gone_moment SELECT moment.id FROM moment CROSS JOIN owner ON owner.id = moment.owner
        WHERE moment.id = ? AND owner.name = ? AND CAST(moment.created AS INTEGER) = ?
        """)
    for one in moments { try moment.execute(arguments: [one.id, one.owner, one.created]) }
    let trip = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO gone_trip SELECT trip.id FROM trip CROSS JOIN owner ON owner.id = trip.owner
        WHERE trip.id = ? AND owner.name = ?
        """)
    for one in trips { try trip.execute(arguments: [one.id, one.owner]) }
  }

  /// Collects them in a snapshot with moments and trips of its own, which migration "2" made of its files and collections.
  ///
  /// A moment is that of the same file and owner, if it was created at the same time or no moment of the file stays. A trip is that of the same owner with the
  /// same start; if there is none, those with the same title that no trip that stays has become.
  /// - Parameter match: Finds the files in the snapshot.
  func fillByContent(_ db: Database, _ match: SnapshotMatch) throws {
    let ofFile = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO gone_moment SELECT moment.id FROM moment INDEXED BY moment_file
        CROSS JOIN owner ON owner.id = moment.owner
        WHERE moment.file IS NOT NULL AND moment.file = ? AND owner.name = ? AND (? OR moment.created = ?)
        """)
    for one in moments {
      guard let file = one.file else { continue }
      for id in try match.ids(of: file) { try ofFile.execute(arguments: [id, one.owner, one.isLast, one.created]) }
    }
    let named = try db.cachedStatement(
      sql: """
        SELECT trip.id, CAST(trip.started AS INTEGER) FROM trip CROSS JOIN owner ON owner.id = trip.owner
        WHERE owner.name = ?1 AND (trip.started = ?2 OR (trip.title = ?3
          AND NOT EXISTS (SELECT 1 FROM trip AS other WHERE other.owner = trip.owner AND other.started = ?2)))
        """)
    let putTrip = try db.cachedStatement(sql: "INSERT OR IGNORE INTO gone_trip VALUES (?)")
    for one in trips {
      for row in try Row.fetchAll(named, arguments: [one.owner, one.started, one.title]) {
        let (id, started): (Int64, Int64) = (row[0], row[1])
        if started != one.started, remainingStarts[one.owner]?.contains(started) == true { continue }
        try putTrip.execute(arguments: [id])
      }
    }
  }
}
