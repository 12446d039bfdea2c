internal import GRDB
internal import MediaLibrary

/// What the service knows of an attachment beyond the catalogue.
struct AttachmentRecord: Hashable, Sendable {
  /// The generation that its signed URLs must have.
  var generation = 0
  /// Whether moderation has blocked it.
  var isBlocked = false
  /// Whether it was erased.
  var isErased = false
  /// Whether its original was stored without metadata, because it had none or it was removed.
  var hasNoMetadata = false
  /// The client's name of the file, unchanged.
  var name: String?
  /// The labels whose readers may see it, with whether they may read the original.
  var labels: [String: Bool] = [:]

  /// The labels that give a right.
  func labels(for right: MediaService.Right) -> Set<String> {
    Set(labels.filter { $0.value || right == .view }.keys)
  }
}

extension AttachmentRecord {
  /// The records of files; those without a row have the defaults.
  static func read(_ files: [FileID], _ db: Database) throws -> [FileID: AttachmentRecord] {
    let generation = try standardGeneration(db)
    let rows = try db.cachedStatement(
      sql: "SELECT generation, blocked, erased, stripped, name FROM attachment WHERE file = ?")
    let labels = try db.cachedStatement(sql: "SELECT label, original FROM label WHERE file = ?")
    var records: [FileID: AttachmentRecord] = [:]
    for file in files where records[file] == nil {
      var record = AttachmentRecord(generation: generation)
      if let row = try Row.fetchOne(rows, arguments: [file.rawValue]) {
        record = AttachmentRecord(
          generation: row[0], isBlocked: row[1], isErased: row[2], hasNoMetadata: row[3], name: row[4])
      }
      let labels = try Row.fetchCursor(labels, arguments: [file.rawValue])
      while let row = try labels.next() { record.labels[row[0]] = row[1] }
      records[file] = record
    }
    return records
  }

  /// What the service notes of one file; the defaults if it has noted nothing.
  static func read(_ file: FileID, _ db: Database) throws -> AttachmentRecord {
    try read([file], db)[file] ?? AttachmentRecord()
  }

  /// Notes a file that was just added. Adding it again keeps its generation, and adds the labels. An erased one stays without both.
  /// - Parameter labels: Labels whose readers may see it, with whether they may read the original.
  /// - Throws: `conflict` if it was erased.
  static func note(
    _ file: FileID, owner: String?, name: String?, labels: [String: Bool] = [:], in db: Database
  ) throws {
    try ensure(file, owner: owner, db)
    if try read(file, db).isErased { throw ServiceError.attachmentErased }
    if let name {
      try db.execute(sql: "UPDATE attachment SET name = ? WHERE file = ?", arguments: [name, file.rawValue])
    }
    for (label, original) in labels { try add(label, original: original, to: file, db) }
  }

  /// Notes that the original of a file was stored without metadata, after ``note(_:owner:name:labels:in:)``.
  static func noteWithoutMetadata(_ file: FileID, _ db: Database) throws {
    try db.execute(sql: "UPDATE attachment SET stripped = 1 WHERE file = ?", arguments: [file.rawValue])
  }

  /// Raises the generation of a file, which ends all its signed URLs.
  static func raiseGeneration(of file: FileID, owner: String?, _ db: Database) throws {
    try ensure(file, owner: owner, db)
    try db.execute(sql: "UPDATE attachment SET generation = generation + 1 WHERE file = ?", arguments: [file.rawValue])
  }

  /// Marks a file as blocked or released.
  static func setBlocked(_ isBlocked: Bool, _ file: FileID, owner: String?, _ db: Database) throws {
    try raiseGeneration(of: file, owner: owner, db)
    try db.execute(sql: "UPDATE attachment SET blocked = ? WHERE file = ?", arguments: [isBlocked, file.rawValue])
  }

  /// Replaces what remains of an erased file by a tombstone, which has neither its name nor its labels.
  static func bury(_ file: FileID, _ db: Database) throws { _ = try countingBury(file, db) }

  /// The same.
  /// - Returns: The numbers of its labels and of profiles that had it as their image.
  static func countingBury(_ file: FileID, _ db: Database) throws -> (labels: Int, avatars: Int) {
    try raiseGeneration(of: file, owner: nil, db)
    try db.execute(
      sql: "UPDATE attachment SET erased = 1, owner = NULL, name = NULL WHERE file = ?", arguments: [file.rawValue])
    try db.execute(sql: "DELETE FROM label WHERE file = ?", arguments: [file.rawValue])
    let labels = db.changesCount
    try db.execute(sql: "DELETE FROM profile WHERE avatar = ?", arguments: [file.rawValue])
    return (labels, db.changesCount)
  }

  /// Replaces the labels of a file. A reader who has lost one may hold signed URLs: those end.
  static func setLabels(_ labels: [String: Bool], of file: FileID, owner: String?, _ db: Database) throws {
    let old = try read(file, db).labels
    // By this row the erasure of the owner finds the labels.
    try ensure(file, owner: owner, db)
    try db.execute(sql: "DELETE FROM label WHERE file = ?", arguments: [file.rawValue])
    for (label, original) in labels { try add(label, original: original, to: file, db) }
    let isLess = old.contains { label, original in labels[label].map { original && !$0 } ?? true }
    if isLess { try raiseGeneration(of: file, owner: owner, db) }
  }

  private static func add(_ label: String, original: Bool, to file: FileID, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO label (file, label, original) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET original = excluded.original
        """,
      arguments: [file.rawValue, label, original])
  }

  private static func ensure(_ file: FileID, owner: String?, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO attachment (file, owner, generation) VALUES (?, ?, ?)",
      arguments: [file.rawValue, owner, try standardGeneration(db)])
  }

  /// The generation of attachments without a row: 0, unless the rows were lost with the database.
  private static func standardGeneration(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'generation'") ?? 0
  }
}
