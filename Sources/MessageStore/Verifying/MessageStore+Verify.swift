internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import Messaging

/// A check of columns and rows that are derived from others, in Swift.
protocol DerivedCheck {
  /// What was found.
  var problems: [MessageStore.Problem] { get }
  /// Stores again what is derived.
  func correct(_ writer: MessageWriter) throws
}

extension MessageStore {
  /// A contradiction in a store.
  public struct Problem: Hashable, Sendable {
    /// A stable name for the kind of problem. More may be added; none is ever renamed.
    public struct Code: RawRepresentable, Hashable, Sendable {
      /// The stable name, such as `derivedColumn`, in JSON.
      public let rawValue: String
      /// A code, which need not be one of those below.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// SQLite finds pages that are malformed, so rows may be lost.
      public static let databaseDamaged = Code(rawValue: "databaseDamaged")
      /// A derived column of a thread, a message, a part or a segment, or a sum, has another value than its rows give; or a verdict is on a file that no message has.
      public static let derived = Code(rawValue: "derivedColumn")
      /// A stored state or message cannot be read.
      public static let unreadable = Code(rawValue: "unreadableRow")
      /// A message is being sent or downloaded, and the outbox has no request for it: it would wait for ever.
      public static let requestMissing = Code(rawValue: "requestMissing")
      /// A request of the outbox is leased, and nothing carries it out: it would wait until the store is opened again.
      public static let leaseLost = Code(rawValue: "leaseLost")
      /// The words of the messages are not those of the index.
      public static let words = Code(rawValue: "wordIndex")
      /// The file of a message or draft is missing.
      public static let fileMissing = Code(rawValue: "fileMissing")
      /// The file of a message or draft has another content.
      public static let fileDamaged = Code(rawValue: "fileDamaged")
      /// A file belongs to no message and no draft.
      public static let leftover = Code(rawValue: "leftover")
    }

    /// The kind of problem.
    public let code: Code
    /// What is affected, for the administrator.
    public let detail: String
  }

  /// The problems that ``verify(repairs:)`` does not search for: in a store that is open for reading, those of the word index, whose check in SQLite is a
  /// statement that writes, and those of leases, which another process may hold. Empty for other stores.
  public var notVerified: [Problem.Code] { isReadOnly ? [.words, .leaseLost] : [] }

  /// Recomputes every derived column and sum, reads every stored state, and checks every file against its digest. Cost: reads the whole store.
  /// - Parameter repairs: Whether derived columns, sums, rows and the word index are corrected, files without a message removed, and requests that nothing
  ///   carries out released, unless a state cannot be read. A state that cannot be read and a missing or damaged file are only reported. False by default.
  /// - Returns: The problems that were found; empty for a consistent store. ``notVerified`` are not searched for.
  /// - Throws: ``MessageStore/Failure/Code/readOnly`` for a repair of a store that is open for reading.
  public func verify(repairs: Bool = false) throws(Failure) -> [Problem] {
    if repairs, isReadOnly { throw .openForReading }
    let (files, sizes) = try storedFiles()
    let (checks, found) = try read { db in
      let values = try ValueCheck(db)
      let checks: [any DerivedCheck] = [
        try StateCheck(db, skipping: values), try ContentCheck(db, skipping: values),
        try SizeCheck(db, files: sizes, skipping: values), try SegmentCheck(db),
      ]
      return (checks, try Self.structure(db) + values.problems + Self.derived(db) + checks.flatMap(\.problems))
    }
    var problems = found
    problems += try words(repairs: repairs)
    problems += files
    let leftovers = try read { db in try unnamedFiles(db) }
    problems += leftovers.map { Problem(code: .leftover, detail: "\($0)") }
    if repairs {
      if problems.contains(where: { $0.code == .derived }) {
        try write { writer in
          // Before the sums, and the columns that are taken from these.
          for check in checks { try check.correct(writer) }
          for sql in Self.corrections { try writer.execute(sql) }
          writer.note(.everything)
        }
      }
      if !leftovers.isEmpty { try sweep() }
    }
    return problems + (try lostLeases(repairs: repairs && !problems.contains { $0.code == .unreadable }))
  }

  /// Leased requests that this process does not carry out. Of a store that is open for reading, another process may carry them out.
  private func lostLeases(repairs: Bool) throws(Failure) -> [Problem] {
    guard !isReadOnly else { return [] }
    // A transaction that writes: none is leased or finished meanwhile.
    return try write { writer in
      let leased = try Int64.fetchAll(writer.db, sql: "SELECT id FROM outbox WHERE lease = 1 ORDER BY id")
      let lost = leased.filter { !leases.contains($0) }
      if repairs { try writer.endLeases(of: lost) }
      return lost.map { Problem(code: .leaseLost, detail: "request \($0) of the outbox") }
    }
  }

  private static func structure(_ db: Database) throws -> [Problem] {
    let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    let foreign = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { "\($0)" }
    return (lines + foreign).map { Problem(code: .databaseDamaged, detail: $0) }
  }

  /// What the derived columns of a thread `t` should be.
  private static let counts = """
    (SELECT count(*) FROM message WHERE thread = t.id), (SELECT count(*) FROM message WHERE thread = t.id AND unread),
    (SELECT id FROM message WHERE thread = t.id ORDER BY time DESC, id DESC LIMIT 1), (SELECT id FROM draft WHERE thread = t.id)
    """
  private static let parts = """
    (SELECT ifnull(group_concat(text, char(10)), '') FROM (SELECT text FROM part WHERE message = m.id ORDER BY position)),
    (SELECT ifnull(group_concat(name, char(10)), '') FROM
      (SELECT name FROM part WHERE message = m.id AND text IS NULL ORDER BY position)),
    (SELECT count(*) FROM part WHERE message = m.id AND text IS NULL)
    """

  /// Whether a recipient is one of a message that has none.
  private static let isForeign =
    "message NOT IN (SELECT id FROM message WHERE typeof(incoming) <> 'integer' OR NOT incoming)"

  /// Whether no message has the file of a verdict.
  private static let isUnused = "NOT EXISTS (SELECT 1 FROM part WHERE part.digest = verdict.digest)"

  private static func derived(_ db: Database) throws -> [Problem] {
    let threads = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM thread t WHERE (messages, unread, last, draft) IS NOT (\(counts)) OR messages = 0 AND draft IS NULL
        ORDER BY id
        """)
    let summaries = try Int64.fetchAll(
      db,
      sql: """
        SELECT t.id FROM thread t LEFT JOIN message m ON m.id = t.last LEFT JOIN draft d ON d.id = t.draft
        WHERE t.time <> max(ifnull(m.time, 0), ifnull(d.time, 0)) OR t.lastFailed <> ifnull(NOT m.incoming AND m.failed, 0)
          OR t.hasAttachment <> CASE WHEN d.id IS NOT NULL AND d.time >= ifnull(m.time, d.time)
            THEN EXISTS (SELECT 1 FROM draftFile WHERE draft = d.id) ELSE ifnull(m.attachments, 0) > 0 END
        ORDER BY t.id
        """)
    let messages = try Int64.fetchAll(
      db, sql: "SELECT id FROM message m WHERE (body, names, attachments) IS NOT (\(parts)) ORDER BY id")
    let recipients = try Int64.fetchAll(
      db, sql: "SELECT DISTINCT message FROM recipient WHERE \(isForeign) ORDER BY 1")
    let verdicts = try String.fetchAll(db, sql: "SELECT lower(hex(digest)) FROM verdict WHERE \(isUnused) ORDER BY 1")
    let isCounted = try Bool.fetchOne(
      db, sql: "SELECT 1 FROM usage WHERE (threads, messages, drafts, bytes) IS (\(MessageSchema.counted))")
    var details = Set(threads + summaries).sorted().map { "thread \($0)" }
    details += messages.map { "message \($0)" }
    details += recipients.map { "recipients of message \($0)" }
    details += verdicts.map { "verdict \($0)" }
    if isCounted == nil { details.append("usage") }
    return details.map { Problem(code: .derived, detail: $0) }
  }

  private static let corrections = [
    "UPDATE message AS m SET (body, names, attachments) = (SELECT \(parts)) WHERE (body, names, attachments) IS NOT (\(parts))",
    "UPDATE thread AS t SET (messages, unread, last, draft) = (SELECT \(counts))",
    "DELETE FROM thread WHERE messages = 0 AND draft IS NULL",
    MessageSchema.derived(ofThread: "thread.id"),
    "DELETE FROM recipient WHERE \(isForeign)",
    "DELETE FROM verdict WHERE \(isUnused)",
    // Last, because the others change what is counted.
    "INSERT OR REPLACE INTO usage SELECT 1, * FROM (\(MessageSchema.counted))",
  ]

  private func words(repairs: Bool) throws(Failure) -> [Problem] {
    guard !isReadOnly else { return [] }
    do throws(Failure) {
      // The check of FTS5 is a statement that writes nothing, but needs a connection that may write.
      try write { writer in
        try writer.execute("INSERT INTO messageText (messageText, rank) VALUES ('integrity-check', 1)")
      }
      return []
    } catch  where error.code == .corrupt {
      if repairs { try write { try $0.execute("INSERT INTO messageText (messageText) VALUES ('rebuild')") } }
      return [Problem(code: .words, detail: "messageText")]
    }
  }

  /// The problems of files, and the sizes of those that are intact.
  private func storedFiles() throws(Failure) -> ([Problem], [Data: Int]) {
    let digests = try read { db in
      try Data.fetchAll(
        db,
        sql: "SELECT digest FROM part WHERE digest IS NOT NULL UNION SELECT digest FROM draftFile ORDER BY 1")
    }
    return try Failure.mapping(at: folder) {
      var (problems, sizes): ([Problem], [Data: Int]) = ([], [:])
      for bytes in digests {
        guard let digest = ContentDigest(bytes: bytes) else {
          problems.append(Problem(code: .unreadable, detail: "a digest of \(bytes.count) bytes"))
          continue
        }
        switch try files.isIntact(digest) {
        case true?: sizes[bytes] = size(of: digest)
        case false?: problems.append(Problem(code: .fileDamaged, detail: "\(digest)"))
        case nil: problems.append(Problem(code: .fileMissing, detail: "\(digest)"))
        }
      }
      return (problems, sizes)
    }
  }
}
