internal import GRDB

/// Changes of files and of their moments that are made together, or not at all: those of `mediatool set`.
package struct FileEdit: Sendable {
  /// Labels of each file, in this order.
  package var labels: [CatalogueFile.Label] = []
  /// The collection of the owner of each file to which it belongs; nil for no change.
  package var collection: MediaCollection.Choice?
  /// Changes of each moment of the files.
  package var moments: [Moment.Change] = []
  /// Who may see the moments of the files. A file without a moment is posted: it becomes one. Nil for no change.
  package var visibility: Moment.Visibility?
  /// Trips to which the first moment of each file is added, at their ends. A file without a moment is posted for the owner alone.
  package var trips: [Trip.ID] = []
  /// Why the files are quarantined; nil for no change.
  package var quarantine: String?
  /// Whether quarantined files are released.
  package var releases = false
  /// Who quarantines or releases them, for the audit trail.
  package var actor = ""
  /// Whether a file may lose the moments of its former owner: they are deleted when it is given to somebody else.
  package var deletesMoments = false

  /// No change.
  package init() {}

  fileprivate var posts: Bool { visibility != nil || !trips.isEmpty }

  fileprivate var changes: [Moment.Change] { moments + (visibility.map { [.visibility($0)] } ?? []) }
}

extension Moments {
  /// Changes files and their moments, all or none.
  /// - Parameter time: When, in seconds since 1970.
  /// - Throws: ``LibraryError/Code/invalidRequest`` if a file does not exist, would lose moments without ``FileEdit/deletesMoments``, or is to be posted or put into a
  ///   collection and has no owner; for a trip that is not the owner's; and for a release of what ``Moderation/release(_:reason:by:at:)`` does not release.
  package func edit(_ files: [FileID], _ edit: FileEdit, at time: Int) throws(LibraryError) {
    if files.isEmpty { return }
    try database.edit(files, edit, at: time)
  }
}

extension SQLiteCatalogue {
  fileprivate func edit(_ files: [FileID], _ edit: FileEdit, at time: Int) throws(LibraryError) {
    try write { db in
      let decision = Moderation.Decision(reason: edit.quarantine ?? "", actor: edit.actor, time: time)
      for file in files {
        let before = try Self.owners(ofMomentsOf: file, db)
        for label in edit.labels { try Self.set(label, of: file, db) }
        if let collection = edit.collection { try Self.put(file, into: collection, db) }
        var moments = try Self.owners(ofMomentsOf: file, db)
        if moments.count < before.count, !edit.deletesMoments {
          throw Self.losesMoments(before.count - moments.count, of: file)
        }
        for moment in moments where !edit.changes.isEmpty { try change(moment.id, at: time, edit.changes, db) }
        if edit.posts {
          if moments.isEmpty { moments = [try post(file, edit.visibility ?? .private, at: time, db)] }
          for trip in edit.trips {
            guard let moment = moments.first else { continue }
            // One that is in the trip moves.
            try db.cachedStatement(sql: "DELETE FROM trip_moment WHERE trip = ? AND moment = ?")
              .execute(arguments: [trip.rawValue, moment.id.rawValue])
            try Self.append(moment.id.rawValue, to: trip.rawValue, of: moment.owner, db)
          }
        }
        if edit.quarantine != nil { try Self.setFlag(.quarantined, of: file, decision, db) }
        if edit.releases { try Self.release(file, decision, db) }
      }
    }
  }

  /// The moments of a file with the numbers of their owners, the first one first.
  private static func owners(ofMomentsOf file: FileID, _ db: Database) throws -> [(id: Moment.ID, owner: Int64)] {
    let sql = """
      SELECT id, owner FROM moment INDEXED BY moment_file WHERE file IS NOT NULL AND file = ? ORDER BY id
      """
    return try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: [file.rawValue]).map { row in
      (id: Moment.ID(rawValue: row[0]), owner: try row.decode(Int64.self, atIndex: 1))
    }
  }

  /// Puts a file into a collection of its owner, or into none.
  private static func put(_ file: FileID, into collection: MediaCollection.Choice, _ db: Database) throws {
    let owner = try String.fetchOne(
      db, sql: "SELECT owner.name FROM file CROSS JOIN owner ON owner.id = file.owner WHERE file.id = ?",
      arguments: [file.rawValue])
    if let owner { return try assign([file], owner: owner, collection: collection, db) }
    guard collection == .none else {
      throw LibraryError(
        .invalidRequest, "The file has no owner, so it can be in no collection; set its owner.",
        detail: "file \(file.rawValue)")
    }
    try checkExists(file, db)
  }

  /// Makes a moment of a file that has an owner. It joins no trip.
  private func post(
    _ file: FileID, _ visibility: Moment.Visibility, at time: Int, _ db: Database
  ) throws -> (id: Moment.ID, owner: Int64) {
    let row = try Row.fetchOne(
      db, sql: "SELECT owner.id, owner.name FROM file CROSS JOIN owner ON owner.id = file.owner WHERE file.id = ?",
      arguments: [file.rawValue])
    guard let row else {
      throw LibraryError(
        .invalidRequest, "The file has no owner, so it cannot be posted; set its owner.",
        detail: "file \(file.rawValue)")
    }
    var new = Moment.New(owner: try row.decode(atIndex: 1), file: file, posted: time)
    (new.visibility, new.trips) = (visibility, [])
    return (id: try add(new, db), owner: try row.decode(atIndex: 0))
  }

  private static func losesMoments(_ count: Int, of file: FileID) -> LibraryError {
    LibraryError(
      .invalidRequest,
      """
      Changing the owner would delete \(count == 1 ? "1 moment" : "\(count) moments") of the file; nothing was changed. Add \
      --delete-moments to delete them.
      """, detail: "file \(file.rawValue)")
  }
}
