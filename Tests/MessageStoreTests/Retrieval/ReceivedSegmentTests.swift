internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("Segments of received SMS") struct ReceivedSegmentTests {
  private func segment(
    _ text: String, _ number: Int, of count: Int = 3, reference: Int = 7, from sender: String = Sample.ann,
    at time: Double = 900
  ) -> MessageStore.SMSSegment {
    MessageStore.SMSSegment(text, reference: reference, number: number, of: count, from: sender, at: time)
  }

  private func count(_ test: TestStore) throws -> Int {
    try test.store.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM segment WHERE message IS NULL") ?? 0 }
  }

  @Test("segments are one message when the last one is there, in whatever order they come, and across restarts")
  func joined() throws {
    var test = try TestStore()
    #expect(try test.store.receive(segment("three", 3, at: 902)) == .incomplete)
    #expect(try test.store.receive(segment("one ", 1)) == .incomplete)
    #expect(try test.store.threads().isEmpty)
    #expect(try test.store.verify().isEmpty)
    try test.restart()
    guard case .message(let id) = try test.store.receive(segment("two ", 2, at: 901)) else {
      Issue.record("the SMS is not whole")
      return
    }
    let message = try test.store.message(id)
    #expect(message.text == "one two three")
    #expect(message.sender == Sample.ann)
    #expect(message.time == 900)
    #expect(message.isUnread)
    #expect(try count(test) == 0)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a segment that is delivered again changes nothing, and does not bring a deleted SMS back")
  func again() throws {
    var test = try TestStore()
    let parts = [segment("one ", 1), segment("two ", 2), segment("three", 3)]
    #expect(try test.store.addition(of: parts[0]) == .message)
    for part in parts.dropLast() { for _ in 0..<2 { #expect(try test.store.receive(part) == .incomplete) } }
    #expect(try count(test) == 2)
    let whole = try test.store.receive(parts[2])
    let id = try #require(try test.store.messages(in: test.thread.id).first).id
    #expect(whole == .message(id))
    try test.restart()
    for part in parts {
      #expect(try test.store.addition(of: part) == .nothing)
      #expect(try test.store.receive(part) == whole)
    }
    #expect(try test.thread.messageCount == 1)
    try test.store.delete(id)
    for part in parts { #expect(try test.store.receive(part) == .deleted) }
    #expect(try test.store.threads().isEmpty)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("segments of other senders, references, counts and days are of other SMS") func others() throws {
    let test = try TestStore()
    try test.store.receive(segment("old", 1, of: 2, at: 900))
    for other in [
      segment("x", 2, of: 2, from: Sample.ben), segment("x", 2, of: 2, reference: 8), segment("x", 2, of: 3),
      segment("x", 2, of: 2, at: 900 + 86_401),
    ] { #expect(try test.store.receive(other) == .incomplete) }
    // The reference is used again on the next day.
    let next = try test.store.receive(segment("new ", 1, of: 2, at: 900 + 86_402))
    #expect(next != .incomplete)
    #expect(try test.store.messages(in: test.thread.id).map(\.text) == ["new x"])
    #expect(try count(test) == 4)
  }

  @Test("a character that the sender has divided between two segments is whole again") func surrogates() throws {
    let test = try TestStore()
    let units = Array("a😀b".utf16)
    for (number, text) in [(1, units[..<2]), (2, units[2...])] {
      try test.store.receive(
        MessageStore.SMSSegment(
          Array(text), reference: 1, number: number, of: 2, from: Sample.ann, at: 900))
    }
    #expect(try test.store.messages(in: test.thread.id).map(\.text) == ["a😀b"])
  }

  @Test("segments of an incomplete SMS go after 30 days, and with their thread; of a whole one no text is kept")
  func removed() throws {
    var test = try TestStore()
    try test.store.receive(segment("old", 1, reference: 1))
    test.phone.now += 30 * 86_400 + 1
    try test.restart()
    #expect(try count(test) == 0)
    try test.store.receive(sms: "hello", from: Sample.ann)
    try test.store.receive(segment("mine", 1, reference: 2))
    try test.store.receive(segment("other", 1, reference: 2, from: Sample.ben))
    try test.store.delete(try test.thread.id)
    #expect(try count(test) == 1)
    try test.store.receive(segment("whole", 1, of: 1, reference: 3))
    let kept = try test.store.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM segment WHERE message IS NOT NULL AND (content IS NOT NULL OR sender <> '')")
    }
    #expect(kept == 0)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("what is no segment is refused") func invalid() throws {
    let test = try TestStore()
    let long = String(repeating: "x", count: 1_001)
    for wrong in [
      segment("x", 0), segment("x", 4), segment("x", 1, of: 0), segment("x", 1, of: 256),
      segment("x", 1, reference: -1), segment("x", 1, reference: 65_536),
      segment(long, 1), segment("x", 1, at: .infinity),
    ] {
      let error = #expect(throws: MessageStore.Failure.self) { try test.store.receive(wrong) }
      #expect(error?.code == .unrecognized)
    }
    #expect(try count(test) == 0)
  }

  @Test("segments that a killed process acknowledged are joined by the next one") func killed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("messages")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try MessageStore(folder: PathBytes(path))
      for number in 1...2 {
        try store.receive(
          MessageStore.SMSSegment("\(number)", reference: 1, number: number, of: 3, from: Sample.ann, at: 900))
      }
      kill(getpid(), SIGKILL)
    }
    let store = try MessageStore(folder: PathBytes(path))
    try store.receive(MessageStore.SMSSegment("3", reference: 1, number: 3, of: 3, from: Sample.ann, at: 900))
    let thread = try #require(try store.threads().first)
    #expect(try store.messages(in: thread.id).map(\.text) == ["123"])
    try store.close()
  }
}
