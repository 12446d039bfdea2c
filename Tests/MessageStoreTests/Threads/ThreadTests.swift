internal import AttachmentPolicy
internal import Dispatch
internal import FileSupport
internal import Foundation
internal import GRDB
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("Threads of a message store") struct ThreadTests {
  @Test("messages of one person are one thread, whatever the spelling of the number, and a group is another")
  func participants() throws {
    let test = try TestStore()
    try test.store.receive(sms: "one", from: "+1 (555) 123-4567")
    try test.store.receive(sms: "two", from: "5551234567")
    try test.store.send(Sample.text("three", to: "00 1 555 1234567"))
    try test.store.send(Sample.text("four", to: Sample.ann, Sample.ben))
    let threads = try test.store.threads()
    #expect(threads.map(\.messageCount).sorted() == [1, 3])
    #expect(threads.map(\.summary.isGroup).filter { $0 }.count == 1)
    #expect(try test.store.thread(with: [Sample.ben, "555-123-4567"]) == threads.first { $0.summary.isGroup }?.id)
    #expect(try test.store.thread(with: ["12"]) == nil)
  }

  @Test("two recipients have one comparable form exactly if they are the same person")
  func comparable() {
    let addresses = [
      "+1 555 123 4567", "5551234567", "1234567", "234567", "+234567", "12-34-567", "a@b.c", "A@b.c", "INFO", "info",
      "*100#", "100", "",
    ].map { MessageRecipient($0) }
    for one in addresses {
      for other in addresses {
        #expect((one.comparable == other.comparable) == (one.isSame(as: other) || one == other), "\(one) \(other)")
      }
    }
  }

  @Test("a page has the newest threads first, and the next page continues after it")
  func pages() throws {
    let test = try TestStore()
    for number in 0..<25 {
      test.phone.now = Double(2_000 + number / 3)
      try test.store.receive(sms: "hello", from: "555000\(1000 + number)")
    }
    let all = try test.store.threads()
    #expect(all.count == 25)
    var paged: [MessageStore.Thread] = []
    while true {
      let page = try test.store.threads(after: paged.last?.cursor, limit: 10)
      if page.isEmpty { break }
      paged += page
    }
    #expect(paged == all)
    let times = all.compactMap(\.summary.time)
    #expect(times == times.sorted(by: >))
  }

  @Test("messages come newest first in pages, and equal times in the order of arrival")
  func messages() throws {
    let test = try TestStore()
    for number in 0..<25 { try test.store.receive(sms: "\(number)", from: Sample.ann, at: Double(number / 2)) }
    let thread = try test.thread.id
    var paged: [MessageStore.Message] = []
    while true {
      let page = try test.store.messages(in: thread, before: paged.last?.cursor, limit: 7)
      if page.isEmpty { break }
      paged += page
    }
    #expect(paged.map(\.text) == (0..<25).reversed().map { "\($0)" })
  }

  @Test("a thread counts unread messages until it is marked as read")
  func unread() throws {
    let test = try TestStore()
    try test.store.receive(sms: "one", from: Sample.ann)
    try test.store.receive(sms: "two", from: Sample.ann)
    #expect(try test.thread.summary.unreadCount == 2)
    try test.store.markRead(try test.thread.id)
    #expect(try test.thread.summary.unreadCount == 0)
    #expect(try test.store.messages(in: try test.thread.id).allSatisfy { !$0.isUnread })
  }

  @Test("a thread says whether its last message has an attachment, failed, and what it says")
  func summary() throws {
    let test = try TestStore()
    try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("photo")])
    var summary = try test.thread.summary
    #expect(summary.hasAttachment)
    #expect(summary.preview == .text("before\nafter"))
    #expect(summary.type == .mms)
    test.phone.now += 1
    try test.store.receive(sms: "thanks", from: Sample.ann)
    summary = try test.thread.summary
    #expect(!summary.hasAttachment)
    #expect(summary.preview == .text("thanks"))
    test.phone.now += 1
    test.phone.conditions.hasSIM = false
    try test.store.send(Sample.text("no card", to: Sample.ann))
    #expect(try test.thread.summary.lastSendFailed)
  }

  @Test("deleting a message removes its files unless another message has them")
  func deleteMessage() throws {
    let test = try TestStore()
    let first = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("same")])
    let second = try test.store.send(Sample.picture(to: Sample.ben), files: ["photo": try test.file("same")])
    #expect(test.storedFiles.count == 1)
    try test.store.delete(first)
    #expect(test.storedFiles.count == 1)
    #expect(throws: MessageStore.Failure.self) { try test.store.message(first) }
    try test.store.delete(second)
    #expect(test.storedFiles.isEmpty)
    #expect(try test.store.threads().isEmpty)
  }

  @Test("deleting a thread removes its messages, its draft, their files and what was to be sent")
  func deleteThread() throws {
    let test = try TestStore()
    try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("one")])
    try test.store.receive(sms: "two", from: Sample.ann)
    let thread = try test.thread.id
    try test.store.saveDraft(Sample.picture(), in: .thread(thread), files: ["photo": try test.file("three")])
    #expect(test.storedFiles.count == 2)
    try test.store.delete(thread)
    #expect(test.storedFiles.isEmpty)
    #expect(try test.store.threads().isEmpty)
    #expect(try test.waiting(.submit) == 0)
    #expect(throws: MessageStore.Failure.self) { try test.store.delete(thread) }
  }

  @Test("a second process is refused while the store is open")
  func locked() throws {
    let test = try TestStore()
    let error = #expect(throws: MessageStore.Failure.self) { try MessageStore(folder: test.store.folder) }
    #expect(error?.code == .locked)
    try test.store.close()
    try MessageStore(folder: test.store.folder).close()
  }

  @Test("a store can be closed while other threads read it, and their next calls fail") func closedWhileRead() throws {
    for _ in 0..<20 {
      let test = try TestStore()
      let store = test.store
      let readers = DispatchGroup()
      let reads = (0..<3).map { _ in DispatchSemaphore(value: 0) }
      for began in reads {
        readers.enter()
        // Threads of their own: a pool may not run all of them at once.
        Thread.detachNewThread {
          while (try? store.threads()) != nil { began.signal() }
          readers.leave()
        }
      }
      for began in reads { began.wait() }
      try store.close()
      readers.wait()
      #expect(throws: MessageStore.Failure.self) { try store.threads() }
    }
  }

  @Test("a store is read while another process writes it, and nothing in it is changed")
  func reading() throws {
    let test = try TestStore()
    try test.store.receive(sms: "hello", from: Sample.ann)
    let reader = try MessageStore(reading: test.store.folder)
    #expect(try reader.threads() == test.store.threads())
    try test.store.receive(sms: "again", from: Sample.ann)
    #expect(try reader.threads().map(\.messageCount) == [2])
    let error = #expect(throws: MessageStore.Failure.self) { try reader.receive(sms: "no", from: Sample.ann) }
    #expect(error?.code == .readOnly)
    try reader.close()
    try test.store.receive(sms: "still there", from: Sample.ann)
    try test.store.close()
    let later = try MessageStore(reading: test.store.folder)
    #expect(try later.threads().map(\.messageCount) == [3])
    let folder = try TemporaryFolder()
    let missing = #expect(throws: MessageStore.Failure.self) { try MessageStore(reading: PathBytes(folder.path(""))) }
    #expect(missing?.code == .notAStore)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
  }

  @Test("a store that nobody has closed is closed when nobody has it")
  func unclosed() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<3 {
      let store = try MessageStore(folder: PathBytes(folder.path("")))
      try store.receive(sms: "hello", from: Sample.ann)
    }
    #expect(try MessageStore(folder: PathBytes(folder.path(""))).threads().map(\.messageCount) == [3])
  }

  @Test("a store whose process was killed while it was created is opened")
  func halfCreated() throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.path("messages.sqlite"))
    try queue.write { try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)") }
    try queue.close()
    let store = try MessageStore(folder: PathBytes(folder.path("")))
    try store.receive(sms: "hello", from: Sample.ann)
    #expect(try store.threads().count == 1)
  }

  @Test("the database of another program and of a newer version are refused unchanged")
  func otherDatabases() throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.path("messages.sqlite"))
    try queue.write { try $0.execute(sql: "CREATE TABLE other (a)") }
    try queue.close()
    var error = #expect(throws: MessageStore.Failure.self) { try MessageStore(folder: .init(folder.path(""))) }
    #expect(error?.code == .notAStore)

    let test = try TestStore()
    try test.damage("INSERT INTO grdb_migrations VALUES ('99')")
    try test.store.close()
    error = #expect(throws: MessageStore.Failure.self) { try MessageStore(folder: test.store.folder) }
    #expect(error?.code == .newerSchema)
  }
}
