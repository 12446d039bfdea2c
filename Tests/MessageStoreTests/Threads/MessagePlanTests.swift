internal import Foundation
internal import GRDB
internal import Testing

@testable internal import MessageStore

@Suite("What the pages of a message store read") struct MessagePlanTests {
  /// The steps of SQLite's plan for a request.
  private func plan(_ request: SQLRequest<Row>, _ test: TestStore) throws -> [String] {
    try test.store.read { db in
      let statement = try request.makePreparedRequest(db).statement
      return try String.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(statement.sql)", arguments: statement.arguments,
        adapter: ColumnMapping(["detail": "detail"]))
    }
  }

  @Test("a page of threads and a page of messages are one range of an index each, without a sort")
  func pages() throws {
    let test = try TestStore()
    let id = try #require(try test.store.receive(sms: "hello", from: Sample.ann))
    let thread = try test.thread
    for cursor in [nil, thread.cursor] {
      let steps = try plan(MessageRows.threads(after: cursor, limit: 50), test)
      #expect(steps.count == 3, "\(steps)")
      #expect(steps[0].hasPrefix("SEARCH t USING") || steps[0].hasPrefix("SCAN t USING INDEX thread_time"), "\(steps)")
      // The last message and the draft of each thread, by their row.
      #expect(steps.dropFirst().allSatisfy { $0.contains("USING INTEGER PRIMARY KEY (rowid=?)") }, "\(steps)")
    }
    for cursor in [nil, try test.store.message(id).cursor] {
      let steps = try plan(MessageRows.messages(in: thread.id, before: cursor, limit: 50), test)
      #expect(steps.count == 1, "\(steps)")
      #expect(steps[0].hasPrefix("SEARCH message USING INDEX message_time (thread=?"), "\(steps)")
    }
  }

  @Test("unread messages are counted in an index of unread messages alone") func unread() throws {
    let test = try TestStore()
    for number in 1...3 { try test.store.receive(sms: "\(number)", from: "+1555000\(number % 2)", at: Double(number)) }
    #expect(try test.store.unreadCount() == 3)
    try test.store.markRead(try #require(test.store.threads().first).id)
    #expect(try test.store.unreadCount() == 1)
    let steps = try test.store.read { db in
      let statement = try MessageStore.unread.makePreparedRequest(db).statement
      return try String.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(statement.sql)", adapter: ColumnMapping(["detail": "detail"]))
    }
    #expect(steps.count == 1)
    #expect(steps.first?.contains("INDEX message_unread") == true, "\(steps)")
  }

  @Test(
    "pages are measured at 100,000 messages in 10,000 threads",
    .enabled(if: ProcessInfo.processInfo.environment["MEDIATOOL_MEASURE"] == "1"))
  func measured() throws {
    let test = try TestStore()
    try test.store.write { writer in
      for number in 0..<100_000 {
        _ = try writer.addSMS(
          "Message \(number) of many", from: "+1555\(1_000_000 + number % 10_000)", at: Double(number))
      }
    }
    var last: MessageStore.Cursor?
    for _ in 0..<100 { last = try test.store.threads(after: last).last?.cursor }
    let newest = try test.store.threads()[0].id
    func median(_ body: () throws -> Void) rethrows -> Duration {
      try (0..<101).map { _ in try ContinuousClock().measure { try body() } }.sorted()[50]
    }
    print("first page of threads:", try median { _ = try test.store.threads() })
    print("page 101 of threads:", try median { _ = try test.store.threads(after: last) })
    print("page of messages:", try median { _ = try test.store.messages(in: newest) })
    print("search:", try median { _ = try test.store.search("99999") })
  }
}
