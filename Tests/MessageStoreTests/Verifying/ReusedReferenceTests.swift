internal import GRDB
internal import Messaging
internal import Testing

@testable internal import MessageStore

/// Networks count references of SMS from 0 to 255 and begin again. The store takes a reference from the SMS that had it before; earlier versions of it
/// left it there, so in their stores several SMS have the same one.
@Suite("References that were given twice, in an older store") struct ReusedReferenceTests {
  private struct OlderStore {
    let test: TestStore
    /// Both have the reference 1, which was given to the second one last.
    let first: MessageStore.Message.ID
    let second: MessageStore.Message.ID

    init() async throws {
      test = try TestStore()
      try test.store.changeSettings { $0.requestsSMSDeliveryReports = true }
      first = try test.store.send(Sample.text("first", to: Sample.ann))
      try await MessageOutbox(test.store, network: FakeNetwork()).runDue()
      let before = try Self.restoring(first, in: test.store)
      second = try test.store.send(Sample.text("second", to: Sample.ann))
      try await MessageOutbox(test.store, network: FakeNetwork()).runDue()
      for statement in before { try test.damage(statement) }
    }

    /// The statements that give a message its present state back.
    private static func restoring(_ id: MessageStore.Message.ID, in store: MessageStore) throws -> [String] {
      try store.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT 'UPDATE message SET machine = ' || quote(machine) || ', messageID = ' || quote(messageID)
              || ' WHERE id = ' || id FROM message WHERE id = ?1
            UNION ALL
            SELECT 'UPDATE recipient SET reference = ' || quote(reference) || ' WHERE message = ' || message
              || ' AND position = ' || position FROM recipient WHERE message = ?1
            """, arguments: [id.rawValue])
      }
    }

    var references: [Int64] {
      get throws { try test.store.read { try Int64.fetchAll($0, sql: "SELECT message FROM smsReference") } }
    }
  }

  @Test("are no problem, a repair changes nothing, and a report is about the SMS that was given it last")
  func consistent() async throws {
    let older = try await OlderStore()
    let store = older.test.store
    for id in [older.first, older.second] {
      #expect(try store.message(id).sending?.recipients.map(\.messageID) == ["1"])
    }
    #expect(try store.verify().isEmpty)
    #expect(try store.verify(repairs: true).isEmpty)
    #expect(try older.references == [older.second.rawValue])
    #expect(try store.message(older.first).sending?.recipients.map(\.messageID) == ["1"])
    #expect(try store.receive(.retrieved, ofSMS: "1", from: Sample.ann) == older.second)
    #expect(try store.message(older.first).sending?.isDelivered == false)
  }

  @Test("are reported and repaired where their row is lost or has another address")
  func damaged() async throws {
    for damage in ["DELETE FROM smsReference", "UPDATE smsReference SET address = 'x'"] {
      let older = try await OlderStore()
      try older.test.damage(damage)
      #expect(try older.test.store.verify().contains { $0.code == .derived }, "\(damage)")
      #expect(try older.test.store.verify(repairs: true).contains { $0.code == .derived }, "\(damage)")
      #expect(try older.test.store.verify().isEmpty, "\(damage)")
      #expect(try older.references == [older.second.rawValue], "\(damage)")
    }
  }

  @Test("are one SMS's again when the network gives the reference once more")
  func givenAgain() async throws {
    let older = try await OlderStore()
    let store = older.test.store
    let third = try store.send(Sample.text("third", to: Sample.ann))
    try await MessageOutbox(store, network: FakeNetwork()).runDue()
    #expect(try store.message(older.second).sending?.recipients.map(\.messageID) == [nil])
    #expect(try older.references == [third.rawValue])
    #expect(try store.verify().isEmpty)
    #expect(try store.receive(.retrieved, ofSMS: "1", from: Sample.ann) == third)
  }
}
