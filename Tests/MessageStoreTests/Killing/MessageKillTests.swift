internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("A message store whose process is killed", .serialized) struct MessageKillTests {
  private static let kills = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 200 : 5

  /// Every second process is killed at any time after its first three steps, of which the third deletes, however slow the machine is. The others are
  /// killed at any time, also while they open the store.
  private static func makesProgress(_ turn: Int) -> Bool { turn % 2 == 1 }
  private static let steps = 3

  /// A number of which each step has its own.
  private static func person(_ prefix: Int, _ turn: Int, _ step: Int) -> String {
    "555\(prefix * 1_000_000 + turn * 1_000 + step)"
  }

  /// Writes drafts, replaces and sends them, receives, downloads, reads and deletes, and notes what was acknowledged, until it is killed.
  private static func work(in path: String, turn: Int, killedAfter microseconds: UInt32) async throws {
    let progress = DispatchSemaphore(value: 0)
    Foundation.Thread.detachNewThread {
      if makesProgress(turn) { for _ in 0..<steps { progress.wait() } }
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
    let store = try MessageStore(folder: PathBytes(path + "/messages"))
    try store.changeSettings { $0.retrievalMode = .automatic }
    let log = KillLog(path)
    let network = FakeNetwork()
    try log.offer(network)
    let outbox = MessageOutbox(store, network: LoggedNetwork(network: network, log: log))
    for step in 0... {
      let name = "\(turn)-\(step)"
      let file = path + "/file"
      try Data("bytes of \(name)".utf8).write(to: URL(fileURLWithPath: file))
      let message = MessageComposition(
        content: [.text("draft \(name)"), .attachment(AttachmentDraft.Item(Sample.photo()))],
        recipients: [MessageRecipient("555\(1_000_000 + step % 7)")])
      let draft = try #require(try store.saveDraft(message, in: .new, files: ["photo": PathBytes(file)]))
      log.note("draft \(name)")
      try store.send(message, from: draft)
      log.note("sent \(name)")
      log.note("offer \(name)")
      try log.offer(network)
      let id = try store.receive(
        try OperatorPDU.notification(transaction: name, location: "http://mmsc/\(name)", expiry: 1_000_000_000))
      log.note("notified \(name)")
      try reply(person(3, turn, step), name, in: store, log)
      try await outbox.runDue()
      if let id {
        try store.markRead(try store.message(id).thread)
        log.note("read \(name)")
      }
      try receive(from: person(4, turn, step), name, drops: step % 3 == 1, in: store, log)
      if step % 3 == 2, let id {
        log.note("deleting \(name)")
        try store.delete(id)
        log.note("deleted \(name)")
      }
      progress.signal()
    }
  }

  /// Saves the draft of a thread, replaces it, and sends it as an SMS.
  private static func reply(_ person: String, _ name: String, in store: MessageStore, _ log: KillLog) throws {
    let draft = try #require(
      try store.saveDraft(Sample.text("kept \(name)", to: person), in: .participants([person])))
    log.note("kept \(name)")
    let thread = try #require(try store.draft(draft).thread)
    let message = Sample.text("again \(name)", to: person)
    try store.saveDraft(message, in: .thread(thread))
    log.note("again \(name)")
    try store.send(message, from: draft)
    log.note("replied \(name)")
  }

  /// Receives an SMS, begins a reply, and deletes the thread with both.
  private static func receive(
    from person: String, _ name: String, drops: Bool, in store: MessageStore, _ log: KillLog
  ) throws {
    let id = try #require(try store.receive(sms: "received \(name)", from: person, at: 900))
    log.note("received \(name)")
    guard drops else { return }
    let thread = try store.message(id).thread
    log.note("dropping \(name)")
    try store.saveDraft(Sample.text("dropped \(name)", to: person), in: .thread(thread))
    try store.delete(thread)
    log.note("dropped \(name)")
  }

  @Test(
    "After a kill each message is a draft or sent, and what was acknowledged is there; the carrier got each SMS once, each MMS with one transaction"
  )
  func kills() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("")
    for turn in 0..<Self.kills {
      let microseconds = UInt32(150_000 + turn * 7_919 % 350_000)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, turn = turn as Int, microseconds = microseconds as UInt32] in
        try await MessageKillTests.work(in: path, turn: turn, killedAfter: microseconds)
      }
      try check(path)
      if Self.makesProgress(turn) {
        let log = KillLog(path)
        for word in ["draft", "sent", "notified", "kept", "again", "replied", "read", "received"] {
          for step in 0..<Self.steps { #expect(log.names(word).contains("\(turn)-\(step)"), "\(word) \(turn)") }
        }
        #expect(log.names("deleted").contains("\(turn)-\(Self.steps - 1)"))
        #expect(log.names("dropped").contains("\(turn)-1"))
      }
    }
    // At last everything is carried out: all that was sent is with the carrier, and all that was announced is here.
    let store = try MessageStore(folder: PathBytes(path + "/messages"))
    let network = FakeNetwork()
    let log = KillLog(path)
    try log.offer(network)
    try await MessageOutbox(store, network: LoggedNetwork(network: network, log: log)).runDue()
    let messages = try Self.messages(store)
    // Two of the three that each process has received stay.
    let processes = (0..<Self.kills).count(where: Self.makesProgress)
    #expect(messages.count(where: \.isIncoming) >= 2 * processes)
    #expect(messages.count { !$0.isIncoming } >= 3 * processes)
    #expect(processes > 0)
    for message in messages where message.type == .mms {
      if message.isIncoming {
        #expect(message.retrieval?.state == .received)
      } else {
        #expect(message.sending?.state == .sent)
      }
    }
    checkOperator(log, messages)
    #expect(try store.verify().isEmpty)
    try store.close()
  }

  /// What the carrier got from all processes: an MMS with one transaction, however often it was sent, and each SMS once, or it is unknown.
  private func checkOperator(_ log: KillLog, _ messages: [MessageStore.Message]) {
    var transactions: [Substring: Set<Substring>] = [:]
    for line in log.lines("mmsc") {
      let words = line.split(separator: " ")
      if words.count == 2 { transactions[words[0], default: []].insert(words[1]) }
    }
    for (name, used) in transactions { #expect(used.count == 1, "\(name)") }
    let modem = log.lines("modem")
    #expect(Set(modem).count == modem.count)
    for message in messages {
      guard let sending = message.sending else { continue }
      if message.type == .mms {
        #expect(transactions[message.parts.first?.text?.dropFirst(6) ?? ""]?.count == 1, "\(message.text)")
      } else if sending.state == .sent {
        #expect(modem.contains(message.text))
      } else {
        #expect(sending.error == .unknownOutcome, "\(message.text)")
      }
    }
  }

  private func check(_ path: String) throws {
    let store = try MessageStore(folder: PathBytes(path + "/messages"))
    defer { try? store.close() }
    let log = KillLog(path)
    let messages = try Self.messages(store)
    let drafts = Set(try store.newDrafts().map(\.message.text))
    let sent = messages.filter { !$0.isIncoming }.compactMap { $0.parts.first?.text }
    #expect(Set(sent).count == sent.count)
    #expect(drafts.isDisjoint(with: sent))
    for name in log.names("draft") {
      #expect(drafts.contains("draft \(name)") != sent.contains("draft \(name)"), "\(name)")
    }
    for name in log.names("sent") { #expect(sent.contains("draft \(name)"), "\(name)") }
    for message in messages where !message.isIncoming && message.type == .mms {
      let name = (message.parts.first?.text ?? "").dropFirst(6)
      let file = try #require(message.parts.last?.path)
      #expect(try String(contentsOfFile: file.text, encoding: .utf8) == "bytes of \(name)")
    }
    let received = messages.compactMap { $0.retrieval?.notification.transactionID }
    #expect(Set(received).count == received.count)
    let deleting = log.names("deleting")
    for name in log.names("notified") where !deleting.contains(name) {
      #expect(received.contains(name), "\(name)")
    }
    for name in log.names("deleted") { #expect(!received.contains(name), "\(name)") }
    let unread = Set(messages.filter(\.isUnread).compactMap { $0.retrieval?.notification.transactionID })
    for name in log.names("read") where !deleting.contains(name) { #expect(!unread.contains(name), "\(name)") }
    try checkThreads(store, log, messages)
    #expect(try store.verify().isEmpty)
  }

  /// A draft of a thread is there as it was saved, as it was replaced, or as the message: one of the three. A deleted thread has nothing.
  private func checkThreads(_ store: MessageStore, _ log: KillLog, _ messages: [MessageStore.Message]) throws {
    let drafts = Set(try store.drafts().map(\.message.text))
    let (replaced, replied) = (log.names("again"), log.names("replied"))
    let sent = Set(messages.filter { !$0.isIncoming }.map(\.text))
    for name in log.names("kept") {
      let (isKept, isReplaced) = (drafts.contains("kept \(name)"), drafts.contains("again \(name)"))
      let isSent = sent.contains("again \(name)")
      #expect([isKept, isReplaced, isSent].count { $0 } == 1, "\(name)")
      #expect(!isKept || !replaced.contains(name), "\(name)")
      #expect(isSent || !replied.contains(name), "\(name)")
    }
    let received = Set(messages.filter { $0.isIncoming && $0.type == .sms }.map(\.text))
    let (dropping, dropped) = (log.names("dropping"), log.names("dropped"))
    for name in log.names("received") where !dropping.contains(name) {
      #expect(received.contains("received \(name)"), "\(name)")
    }
    for name in dropped {
      #expect(!received.contains("received \(name)"), "\(name)")
      #expect(!drafts.contains("dropped \(name)"), "\(name)")
    }
  }

  /// Every message of a store.
  private static func messages(_ store: MessageStore) throws -> [MessageStore.Message] {
    var messages: [MessageStore.Message] = []
    var last: MessageStore.Cursor?
    while true {
      let threads = try store.threads(after: last, limit: 1_000)
      for thread in threads {
        var cursor: MessageStore.Cursor?
        while true {
          let page = try store.messages(in: thread.id, before: cursor, limit: 1_000)
          if page.isEmpty { break }
          messages += page
          cursor = page.last?.cursor
        }
      }
      guard let end = threads.last else { return messages }
      last = end.cursor
    }
  }
}
