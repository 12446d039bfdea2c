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

  /// Writes drafts, sends them, receives, downloads and deletes, and notes what was acknowledged, until it is killed.
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
    let outbox = MessageOutbox(store, network: network)
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
      try await outbox.runDue()
      if step % 3 == 2, let id {
        log.note("deleting \(name)")
        try store.delete(id)
        log.note("deleted \(name)")
      }
      progress.signal()
    }
  }

  @Test(
    "After a kill at any moment each message is a draft or sent, never both and never neither; what was acknowledged is there, and nothing else"
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
        for word in ["draft", "sent", "notified"] {
          for step in 0..<Self.steps { #expect(log.names(word).contains("\(turn)-\(step)"), "\(word) \(turn)") }
        }
        #expect(log.names("deleted").contains("\(turn)-\(Self.steps - 1)"))
      }
    }
    // At last everything is carried out: all that was sent is with the operator, and all that was announced is here.
    let store = try MessageStore(folder: PathBytes(path + "/messages"))
    let network = FakeNetwork()
    try KillLog(path).offer(network)
    try await MessageOutbox(store, network: network).runDue()
    let messages = try Self.messages(store)
    // Two of the three that each process has received stay.
    let processes = (0..<Self.kills).count(where: Self.makesProgress)
    #expect(messages.count(where: \.isIncoming) >= 2 * processes)
    #expect(messages.count { !$0.isIncoming } >= 3 * processes)
    #expect(processes > 0)
    for message in messages {
      if message.isIncoming {
        #expect(message.retrieval?.state == .received)
      } else {
        #expect(message.sending?.state == .sent)
      }
    }
    #expect(try store.verify().isEmpty)
    try store.close()
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
    for message in messages where !message.isIncoming {
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
    #expect(try store.verify().isEmpty)
  }

  /// Every message of a store.
  private static func messages(_ store: MessageStore) throws -> [MessageStore.Message] {
    var messages: [MessageStore.Message] = []
    for thread in try store.threads(limit: 1_000) {
      var cursor: MessageStore.Cursor?
      while true {
        let page = try store.messages(in: thread.id, before: cursor, limit: 1_000)
        if page.isEmpty { break }
        messages += page
        cursor = page.last?.cursor
      }
    }
    return messages
  }
}

/// What the killed processes noted, one line per call that returned.
private struct KillLog {
  private let path: String
  private let descriptor: CInt

  init(_ path: String) {
    self.path = path + "/log"
    descriptor = open(self.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  func note(_ line: String) { _ = "\(line)\n".withCString { write(descriptor, $0, strlen($0)) } }

  /// Lets the operator have every message that was ever announced.
  func offer(_ network: FakeNetwork) throws {
    for name in names("offer") {
      try network.keep(try OperatorPDU.retrieved(text: "received \(name)"), at: "http://mmsc/\(name)")
    }
  }

  /// The names after a word.
  func names(_ word: String) -> Set<String> {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    // A last line without an end was not noted.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return Set(lines.filter { $0.hasPrefix("\(word) ") }.map { String($0.dropFirst(word.count + 1)) })
  }
}
