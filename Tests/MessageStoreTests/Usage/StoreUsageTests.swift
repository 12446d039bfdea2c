internal import GRDB
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("How much a message store has") struct StoreUsageTests {
  @Test("the use of a store counts messages, drafts and the bytes of their parts") func usage() throws {
    let test = try TestStore()
    #expect(try test.store.usage() == MessageStore.Usage())
    try test.store.receive(sms: "four", from: Sample.ann)
    try test.store.receive(retrieveConf: try OperatorPDU.retrieved(1, from: Sample.ben, text: "three").encoded())
    try test.store.saveDraft(Sample.text("draft", to: Sample.ann), in: .new)
    let usage = try test.store.usage()
    #expect(usage.threads == 2)
    #expect(usage.messages == 2)
    #expect(usage.drafts == 1)
    // The states, what the download is recognised by, the draft, and the acknowledgement that the carrier is to get: once as the last answer of
    // the message, and once in the outbox.
    let state = try test.store.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT (SELECT sum(length(machine)) + sum(length(answer)) FROM message)
          + (SELECT sum(length(content)) FROM outbox)
          + (SELECT sum(length(transactionID) + length(location) + length(download)) FROM message)
          + (SELECT sum(length(message)) FROM draft)
          """)
    }
    let stored = try #require(state)
    // Texts count twice, and so do names of files: they are also stored for searches. The id of the file is its name, too.
    let file = "photo 1".utf8.count + 3 * "lake.jpg".utf8.count
    let texts = 2 * 4 + 2 * 5 + "Holiday".utf8.count
    // Two texts and an image.
    let types = 2 * "text/plain".utf8.count + "image/jpeg".utf8.count
    // Each person is a sender, and a participant of a thread, whose key has the last seven digits.
    let people = 2 * (Sample.ann.utf8.count + Sample.ben.utf8.count) + 2 * 7
    #expect(usage.bytes == 200 * (2 + 3) + texts + file + types + people + stored)
  }

  @Test("each message and each part counts, also an empty one, and so do addresses") func headerUsage() throws {
    let test = try TestStore()
    var message = try OperatorPDU.retrieved(1, from: "+1" + String(repeating: "5", count: 10_000))
    message.content = MMSMessage.Content(
      type: ContentType("application/vnd.wap.multipart.mixed"),
      parts: (1...100).map { MMSMessage.Part(type: .jpeg, name: "\($0)", body: []) })
    let id = try #require(try test.store.receive(retrieveConf: try message.encoded()))
    #expect(try test.store.message(id).parts.count == 100)
    // The address is that of the sender, and of a participant of the thread.
    #expect(try test.store.usage().bytes > 2 * 10_000 + 200 * 101)
  }

  @Test("a draft counts, and so does what the request of a sent message is made of") func draftUsage() throws {
    let test = try TestStore()
    let text = String(repeating: "a", count: 10_000)
    try test.store.saveDraft(Sample.text(text, to: Sample.ann), in: .new)
    #expect(try test.store.usage().bytes > 10_000)
    try test.store.send(Sample.text(text, to: Sample.ann))
    // Of the message: its text, the index of its words, and its request.
    #expect(try test.store.usage().bytes > 4 * 10_000)
  }

  @Test("what is kept of a deleted notification counts, and has no long address") func deletedUsage() throws {
    let test = try TestStore()
    let notice = try OperatorPDU.notification(1, location: "http://mmsc/" + String(repeating: "a", count: 10_000))
    let id = try #require(try test.store.receive(notice))
    try test.store.delete(id)
    let bytes = try test.store.usage().bytes
    #expect(bytes > 200)
    #expect(bytes < 1_000)
    #expect(try test.store.receive(notice) == nil)
    #expect(try test.store.threads().isEmpty)
  }

  @Test("a notification counts with its octets") func notificationUsage() throws {
    let test = try TestStore()
    let octets = try OperatorPDU.notification(1, location: "http://mmsc/" + String(repeating: "a", count: 10_000))
    try test.store.receive(octets)
    // The address is in the notification, and in the state of its download.
    #expect(try test.store.usage().bytes > octets.count + 10_000)
  }

  @Test("one row has the sums, and a store that has lost it is counted") func lostSums() throws {
    let test = try TestStore()
    try test.store.receive(sms: "four", from: Sample.ann)
    let usage = try test.store.usage()
    #expect(usage.messages == 1)
    // Nothing else is read.
    try test.damage("UPDATE usage SET bytes = 7")
    #expect(try test.store.usage().bytes == 7)
    try test.damage("DELETE FROM usage")
    #expect(try test.store.usage() == usage)
  }
}
