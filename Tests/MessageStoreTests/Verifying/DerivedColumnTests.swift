internal import AttachmentPolicy
internal import GRDB
internal import MMSCodec
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("The derived columns of a message store") struct DerivedColumnTests {
  /// The columns that are stored once and derived from nothing: what others sent, what the user wrote, what is to be done, and the states themselves. The
  /// tables of the word index are compared by SQLite, those of migrations belong to GRDB.
  private static let sources: Set<String> = [
    "setting.name", "setting.value",
    "thread.id", "thread.participants",
    "message.id", "message.thread", "message.incoming", "message.time", "message.unread", "message.machine",
    "message.message", "message.notice", "message.answer", "message.download", "message.requestKey",
    "part.message", "part.position", "part.digest", "part.source",
    "draft.id", "draft.thread", "draft.time", "draft.message",
    "draftFile.draft", "draftFile.attachment", "draftFile.digest",
    "outbox.id", "outbox.message", "outbox.kind", "outbox.due", "outbox.since", "outbox.timer", "outbox.lease",
    "outbox.attempts", "outbox.content",
    "gone.transactionID", "gone.type", "gone.location", "gone.answer", "gone.ends", "gone.download",
    "segment.digest", "segment.sender", "segment.reference", "segment.count", "segment.number", "segment.time",
    "segment.content", "segment.message", "segment.ends",
    "verdict.digest", "verdict.state", "verdict.detail", "verdict.engine", "verdict.signatures", "verdict.time",
    "verdict.due", "verdict.attempts",
    "garbage.digest",
    "usage.id",
  ]

  /// A damage to each derived column.
  private static let damages: [String: [String]] = [
    "thread.key": ["UPDATE thread SET key = key || 'x'"],
    "thread.messages": ["UPDATE thread SET messages = messages + 1"],
    "thread.unread": ["UPDATE thread SET unread = unread + 7"],
    "thread.last": ["UPDATE thread SET last = NULL"],
    "thread.draft": ["UPDATE thread SET draft = NULL WHERE draft IS NOT NULL"],
    "thread.time": ["UPDATE thread SET time = time + 1"],
    "thread.hasAttachment": ["UPDATE thread SET hasAttachment = NOT hasAttachment"],
    "thread.lastFailed": ["UPDATE thread SET lastFailed = NOT lastFailed"],
    "message.type": [
      "UPDATE message SET type = 'sms' WHERE NOT incoming AND type = 'mms'",
      "UPDATE message SET type = 'mms' WHERE NOT incoming AND type = 'sms'",
      "UPDATE message SET type = 'sms' WHERE incoming AND type = 'mms'",
      "UPDATE message SET type = 'mms' WHERE incoming AND type = 'sms'",
    ],
    "message.state": [
      "UPDATE message SET state = 'queued' WHERE incoming", "UPDATE message SET state = 'queued' WHERE NOT incoming",
    ],
    // Of a downloaded message they are stored nowhere else.
    "message.sender": [
      "UPDATE message SET sender = 'x' WHERE NOT incoming", "UPDATE message SET sender = 'x' WHERE notice IS NOT NULL",
    ],
    "message.subject": [
      "UPDATE message SET subject = 'x' WHERE NOT incoming AND type = 'mms'",
      "UPDATE message SET subject = NULL WHERE notice IS NOT NULL",
      "UPDATE message SET subject = 'x' WHERE incoming AND type = 'sms'",
    ],
    "message.body": ["UPDATE message SET body = 'x'"],
    "message.names": ["UPDATE message SET names = 'x'"],
    "message.attachments": ["UPDATE message SET attachments = attachments + 1"],
    "message.failed": ["UPDATE message SET failed = NOT failed"],
    "message.transactionID": [
      "UPDATE message SET transactionID = 'x' || id WHERE incoming AND type = 'mms'",
      "UPDATE message SET transactionID = 'x' WHERE NOT incoming",
    ],
    "message.location": [
      "UPDATE message SET location = NULL WHERE incoming AND type = 'mms'",
      "UPDATE message SET location = 'x' WHERE NOT incoming",
    ],
    "message.messageID": ["UPDATE message SET messageID = 'x'"],
    // Of a downloaded message they are stored nowhere else.
    "part.name": ["UPDATE part SET name = 'x' WHERE \(isSent) AND digest IS NOT NULL"],
    "part.type": ["UPDATE part SET type = 'x' WHERE \(isSent)"],
    "part.contentID": ["UPDATE part SET contentID = 'x' WHERE \(isSent)"],
    "part.text": ["UPDATE part SET text = 'x' WHERE \(isSent) AND digest IS NULL"],
    "part.bytes": [
      "UPDATE part SET bytes = bytes + 1 WHERE digest IS NULL", "UPDATE part SET bytes = 0 WHERE digest IS NOT NULL",
    ],
    "recipient.message": ["UPDATE recipient SET message = (SELECT id FROM message WHERE incoming), position = message"],
    "recipient.position": ["UPDATE recipient SET position = position + 7"],
    "recipient.address": ["UPDATE recipient SET address = '1'"],
    "recipient.submission": ["UPDATE recipient SET submission = 'pending'"],
    "recipient.delivery": ["UPDATE recipient SET delivery = 'success'"],
    "recipient.reading": ["UPDATE recipient SET reading = 'x'"],
    "recipient.reference": ["UPDATE recipient SET reference = 'x'"],
    "smsReference.reference": ["UPDATE smsReference SET reference = 'x'", "DELETE FROM smsReference"],
    "smsReference.address": ["UPDATE smsReference SET address = 'x'"],
    "smsReference.message": ["UPDATE smsReference SET message = (SELECT id FROM message WHERE incoming)"],
    "segment.key": ["UPDATE segment SET key = 'x'"],
    "usage.threads": ["UPDATE usage SET threads = threads + 1"],
    "usage.messages": ["UPDATE usage SET messages = messages + 1"],
    "usage.drafts": ["UPDATE usage SET drafts = drafts + 1"],
    "usage.bytes": ["UPDATE usage SET bytes = bytes + 1"],
  ]

  private static let isSent = "message IN (SELECT id FROM message WHERE NOT incoming)"

  /// The columns of the tables that the store writes.
  private func columns(_ store: MessageStore) throws -> [String] {
    try store.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
          WHERE m.type = 'table' AND m.name NOT LIKE 'messageText%' AND m.name NOT LIKE 'grdb%' AND m.name NOT LIKE 'sqlite%'
          """)
    }
  }

  /// A store with a message of each kind in each direction, a notification, a draft, and a segment of an SMS: a copy of one that is made once.
  private func filled() async throws -> TestStore { try TestStore(files: await Self.files.value) }

  private static let files = Task { () async throws -> [String: [UInt8]] in
    let test = try TestStore()
    try test.store.changeSettings {
      $0.retrievalMode = .automatic
      $0.requestsSMSDeliveryReports = true
    }
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    try test.store.receive(try OperatorPDU.notification())
    // The carrier does not have the second one: its notification stays.
    var second = try MMSMessage(decoding: try OperatorPDU.notification(2))
    second[.subject] = EncodedString("Announced")
    try test.store.receive(try second.encoded())
    try test.store.receive(sms: "hello", from: Sample.ben, at: 900)
    try test.store.receive(
      MessageStore.SMSSegment("first half", reference: 1, number: 1, of: 2, from: Sample.ben, at: 900))
    try test.store.send(
      Sample.picture(to: Sample.ann, subject: "Sent"), files: ["photo": try test.file("five bytes, or more")])
    try test.store.send(Sample.text("an SMS", to: Sample.ann))
    try test.store.saveDraft(
      Sample.picture(), in: .participants([Sample.ben]), files: ["photo": try test.file("draft")])
    try await MessageOutbox(test.store, network: network).runDue()
    return try test.closedFiles()
  }

  @Test("every column of the schema is either derived, with a damage that verification finds, or stored once")
  func classes() throws {
    let columns = Set(try columns(try TestStore().store))
    #expect(columns.count > 80)
    #expect(columns.subtracting(Self.sources).subtracting(Self.damages.keys).isEmpty)
    #expect(Self.sources.union(Self.damages.keys).subtracting(columns).isEmpty)
    #expect(Self.sources.isDisjoint(with: Self.damages.keys))
  }

  @Test("a damaged derived column is reported, and a repair restores its values", arguments: damages.keys.sorted())
  func damaged(_ column: String) async throws {
    let table = String(column.prefix { $0 != "." })
    for damage in Self.damages[column] ?? [] {
      let test = try await filled()
      let rows = try self.rows(of: table, in: test.store)
      #expect(try test.store.verify().isEmpty)
      try test.damage(damage)
      #expect(try self.rows(of: table, in: test.store) != rows, "\(damage)")
      #expect(try test.store.verify().contains { $0.code == .derived }, "\(damage)")
      #expect(try test.store.verify(repairs: true).contains { $0.code == .derived }, "\(damage)")
      #expect(try test.store.verify().isEmpty, "\(damage)")
      #expect(try self.rows(of: table, in: test.store) == rows, "\(damage)")
    }
  }

  private func rows(of table: String, in store: MessageStore) throws -> [Row] {
    try store.read { db in try Row.fetchAll(db, sql: "SELECT * FROM \(table)") }
  }

  @Test("an SMS whose reference another one was given later has it no more") func takenReference() async throws {
    let test = try TestStore()
    let first = try test.store.send(Sample.text("first", to: Sample.ann))
    try await MessageOutbox(test.store, network: FakeNetwork()).runDue()
    #expect(try test.store.message(first).sending?.recipients.map(\.messageID) == ["1"])
    let second = try test.store.send(Sample.text("second", to: Sample.ann))
    try await MessageOutbox(test.store, network: FakeNetwork()).runDue()
    #expect(try test.store.message(first).sending?.recipients.map(\.messageID) == [nil])
    #expect(try test.store.message(second).sending?.recipients.map(\.messageID) == ["1"])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a part has the bytes that are stored, whatever the app states or its text contained") func sizes() throws {
    let test = try TestStore()
    let id = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("more than five")])
    #expect(try test.store.message(id).parts.map(\.bytes) == [6, 14, 5])
    let sms = try #require(try test.store.receive(sms: "a\0b", from: Sample.ann))
    #expect(try test.store.message(sms).parts.map(\.bytes) == ["a\u{FFFD}b".utf8.count])
  }

  @Test("a part that is missing, and a draft, a notification, a setting or a request that is malformed, are reported")
  func unreadable()
    async throws
  {
    for damage in [
      "UPDATE setting SET value = x'00'", "DELETE FROM part WHERE \(Self.isSent) AND position = 1",
      "UPDATE draft SET message = x'00'",
      "UPDATE message SET notice = x'00' WHERE notice IS NOT NULL",
      "UPDATE message SET message = NULL WHERE NOT incoming",
    ] {
      let test = try await filled()
      try test.damage(damage)
      #expect(try test.store.verify().contains { $0.code == .unreadable }, "\(damage)")
    }
    let test = try TestStore()
    try test.store.send(Sample.text("hello", to: Sample.ann))
    try test.damage("UPDATE outbox SET content = x'00'")
    #expect(try test.store.verify().map(\.code) == [.unreadable])
  }
}
