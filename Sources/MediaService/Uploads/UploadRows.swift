internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaLibrary

/// The table `upload`: one row per upload that has an address.
enum UploadRows {
  private static let columns = """
    id, owner, form, state, length, offset, name, type, metadata, digest, draft, created, expires, attachment, answer
    """

  /// Reads one upload; nil if it is not there any more.
  static func read(_ id: Upload.ID, _ db: Database) throws -> Upload? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM upload WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id.rawValue]).flatMap { try upload($0) }
  }

  /// Uploads that are not finished, to restore their reservations.
  static func open(_ db: Database) throws -> [Upload] {
    try Row.fetchAll(db, sql: "SELECT \(columns) FROM upload WHERE state IN ('receiving', 'examining')")
      .compactMap { try upload($0) }
  }

  /// A page of the uploads whose time is over, the oldest first.
  /// - Parameter position: The ``Position`` of the last one of an earlier page; of none.
  /// - Returns: The uploads, without those that this version does not know, and where the next page begins; nil after the last one.
  static func expired(
    at time: Int, after position: Position, limit: Int, _ db: Database
  ) throws -> (uploads: [Upload], next: Position?) {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT \(columns) FROM upload INDEXED BY upload_expires
        WHERE expires <= ? AND (expires, id) > (?, ?) ORDER BY expires, id LIMIT ?
        """, arguments: [time, position.expires, position.id, limit])
    return (
      try rows.compactMap { try upload($0) }, rows.last.map { Position(expires: $0["expires"], id: $0["id"]) }
    )
  }

  /// A place in the order in which uploads expire.
  struct Position: Sendable {
    var expires = Int.min
    var id = ""
  }

  /// The ids of all uploads of an owner, in any state.
  static func ids(of owner: String, _ db: Database) throws -> [Upload.ID] {
    try String.fetchAll(db, sql: "SELECT id FROM upload WHERE owner = ?", arguments: [owner])
      .compactMap(Upload.ID.init(rawValue:))
  }

  /// Stores a new upload. Its id must be new.
  static func add(_ upload: Upload, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT INTO upload (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    try statement.execute(arguments: [
      upload.id.rawValue, upload.owner, upload.form.rawValue, upload.state.rawValue, upload.length, upload.offset,
      upload.claims.name, upload.claims.type, upload.metadata, upload.claims.digest.map { Data($0) },
      upload.claims.draft, upload.created, upload.expires, upload.attachment?.id.rawValue, try answer(of: upload),
    ])
  }

  /// Changes the state of an upload, and its result. A row that was erased does not come back.
  /// - Parameter isOpen: Whether only an open upload is changed: one that was ended meanwhile stays so.
  /// - Returns: Whether the upload was changed.
  static func write(_ upload: Upload, ifOpen isOpen: Bool = false, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE upload SET state = ?, length = ?, offset = ?, expires = ?, attachment = ?, answer = ?
        WHERE id = ? AND (state IN ('receiving', 'examining') OR ?)
        """)
    try statement.execute(arguments: [
      upload.state.rawValue, upload.length, upload.offset, upload.expires, upload.attachment?.id.rawValue,
      try answer(of: upload), upload.id.rawValue, !isOpen,
    ])
    return db.changesCount > 0
  }

  private static func answer(of upload: Upload) throws -> Data? {
    try StoredAnswer(upload).map { try JSONEncoder().encode($0) }
  }

  /// Records how many bytes are on the disk.
  static func record(_ upload: Upload, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE upload SET offset = ?, length = ?, expires = ? WHERE id = ? AND state = 'receiving'")
    try statement.execute(arguments: [upload.offset, upload.length, upload.expires, upload.id.rawValue])
  }

  /// Forgets an upload.
  static func remove(_ id: Upload.ID, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM upload WHERE id = ?", arguments: [id.rawValue])
  }

  /// Removes locations from the answers of an owner's uploads.
  static func removeLocations(of owner: String, _ db: Database) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, answer FROM upload INDEXED BY upload_owner WHERE owner = ? AND answer IS NOT NULL",
      arguments: [owner])
    for row in rows {
      let (id, data): (String, Data) = (row[0], row[1])
      guard var answer = try? JSONDecoder().decode(StoredAnswer.self, from: data), let info = answer.attachment?.info
      else { continue }
      answer.attachment?.info = info.withoutLocation
      try db.execute(
        sql: "UPDATE upload SET answer = ? WHERE id = ?", arguments: [try JSONEncoder().encode(answer), id])
    }
  }

  private static func upload(_ row: Row) throws -> Upload? {
    // A row of a later version is one that this version does not know.
    guard let id = Upload.ID(rawValue: row["id"]), let form = Upload.Form(rawValue: row["form"]),
      let state = Upload.State(rawValue: row["state"])
    else { return nil }
    var claims = Upload.Claims()
    (claims.name, claims.type) = (row["name"], row["type"])
    claims.digest = (row["digest"] as Data?).map { [UInt8]($0) }
    claims.draft = row["draft"]
    var upload = Upload(
      id: id, owner: row["owner"], form: form, claims: claims, created: row["created"], expires: row["expires"])
    (upload.state, upload.length, upload.offset, upload.metadata) = (
      state, row["length"], row["offset"], row["metadata"]
    )
    if let data = row["answer"] as Data? {
      let answer = try? JSONDecoder().decode(StoredAnswer.self, from: data)
      (upload.attachment, upload.refusal) = (answer?.attachment, answer?.refusal?.error)
    }
    return upload
  }

  /// What an upload ended with.
  private struct StoredAnswer: Codable {
    var attachment: IngestedAttachment?
    var refusal: Refusal?

    init?(_ upload: Upload) {
      guard upload.attachment != nil || upload.refusal != nil else { return nil }
      (attachment, refusal) = (upload.attachment, upload.refusal.map(Refusal.init))
    }
  }

  private struct Refusal: Codable {
    var code: String
    var message: String
    var numbers: [String: Int]
    var verdict: Verdict?

    init(_ error: ServiceError) {
      (code, message, numbers) = (error.code.rawValue, error.message, error.numbers)
      verdict = error.verdict
    }

    var error: ServiceError {
      ServiceError(ServiceError.Code(rawValue: code), message, numbers: numbers, verdict: verdict)
    }
  }
}
