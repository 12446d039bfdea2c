internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MMSCodec
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool messages") struct MessagesCommandTests {
  private struct Refusing: MessageOutbox.Network {
    func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
      throw MessageOutbox.Failure.permanent(.refused)
    }
    func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] {
      throw MessageOutbox.Failure.permanent(.notFound)
    }
  }

  /// A store with a thread of received SMS, and one with an MMS that was refused and a draft.
  private func filled(_ scratch: Scratch) async throws -> MessageStore {
    var options = MessageStore.Options()
    options.now = { 1_777_600_000 }
    let store = try MessageStore(folder: scratch("messages"), options: options)
    try store.receive(sms: "secret one", from: "+1 555 123 4567", at: 1_777_500_000)
    try store.receive(sms: "secret two\u{1B}[31m", from: "+1 555 123 4567", at: 1_777_500_060)
    let photo = MediaAttachment(
      id: "photo", name: "../private\u{202E}gpj.exe", info: MediaInfo(type: .jpeg, bytes: 5))
    let message = MessageComposition(
      content: [.text("see this"), .attachment(AttachmentDraft.Item(photo))],
      recipients: [MessageRecipient("+1 555 765 4321")], subject: "Lake")
    try store.send(message, files: ["photo": try scratch.file("file", "bytes")])
    try await MessageOutbox(store, network: Refusing()).runDue()
    try store.saveDraft(
      MessageComposition(content: [.text("later")]), in: .participants(["+1 555 765 4321"]))
    return store
  }

  private func run(_ arguments: [PathBytes]) throws -> Command.Output { try Command.run(["messages"] + arguments) }

  /// The database of a store, without the shared memory of its readers.
  private func database(_ scratch: Scratch) -> [Data?] {
    ["messages.sqlite", "messages.sqlite-wal"].map {
      FileManager.default.contents(atPath: scratch("messages").text + "/" + $0)
    }
  }

  @Test("The threads are listed newest first, with the documented keys, and without what was written")
  func threads() async throws {
    let scratch = try Scratch()
    let store = try await filled(scratch)
    let before = database(scratch)
    let result = try run([scratch("messages")])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let records = try result.records
    #expect(records.map { $0["participants"] as? [String] } == [["+1 555 765 4321"], ["+1 555 123 4567"]])
    #expect(records.map { $0["messages"] as? Int } == [1, 2])
    #expect(records.map { $0["unread"] as? Int } == [0, 2])
    #expect(records.map { $0["lastFailed"] as? Bool } == [true, nil])
    #expect(records.map { $0["draft"] as? String } == ["inThread", nil])
    #expect(records[1]["time"] as? String == "2026-04-29T22:01:00Z")
    #expect(!result.output.contains("secret"))
    #expect(!result.output.contains("later"))
    #expect(try run([scratch("messages"), "--text"]).records[1]["preview"] as? String == "secret two\u{1B}[31m")
    #expect(try run([scratch("messages"), "--limit", "1"]).records.count == 1)

    let table = try run([scratch("messages"), "--table"])
    #expect(table.output.contains("PARTICIPANTS"))
    #expect(table.output.contains("2026-04-29 22:01:00"))
    #expect(!table.output.contains("secret"))
    let quoted = try run([scratch("messages"), "--table", "--text"])
    #expect(quoted.output.contains("secret two\\u{1B}[31m"))
    // The store was read only, while its process has it open.
    #expect(database(scratch) == before)
    try store.receive(sms: "still open", from: "+1 555 123 4567")
  }

  @Test("The messages of a thread have their states, and those of their recipients")
  func show() async throws {
    let scratch = try Scratch()
    let store = try await filled(scratch)
    let threads = try store.threads()
    let number = PathBytes("\(threads[0].id.rawValue)")
    let result = try run([scratch("messages"), "--show", number])
    #expect(result.status == 0)
    let record = try #require(try result.records.first)
    #expect(record["direction"] as? String == "outgoing")
    #expect(record["type"] as? String == "mms")
    #expect(record["state"] as? String == "failed")
    #expect(record["error"] as? String == "refused")
    let recipient = try #require((record["recipients"] as? [[String: Any]])?.first)
    #expect(recipient["address"] as? String == "+1 555 765 4321")
    #expect(recipient["submission"] as? String == "failed")
    #expect(recipient["error"] as? String == "refused")
    let parts = try #require(record["parts"] as? [[String: Any]])
    #expect(parts.map { $0["type"] as? String } == ["text/plain", "image/jpeg"])
    for text in ["see this", "Lake", "private"] { #expect(!result.output.contains(text), "\(text) is shown") }
    let texts = try run([scratch("messages"), "--show", number, "--text"])
    #expect(try texts.records.first?["subject"] as? String == "Lake")
    let table = try run([scratch("messages"), "--show", number, "--table"])
    #expect(table.output.contains("to +1 555 765 4321: failed (refused)"))
    #expect(!table.output.contains("see this"))
    #expect(!table.output.contains("Lake"))
    #expect(!table.output.contains("private"))
    let other = try run([scratch("messages"), "--show", PathBytes("\(threads[1].id.rawValue)")])
    #expect(try other.records.map { $0["state"] as? String } == ["received", "received"])
    try store.close()
  }

  @Test("A downloaded message without parts and subject is invalid") func invalid() throws {
    let scratch = try Scratch()
    let store = try MessageStore(folder: scratch("messages"))
    var message = MMSMessage(.retrieveConf, transactionID: "t1")
    message[.messageID] = "m1"
    message[.date] = 900
    message.content = MMSMessage.Content(type: ContentType("application/vnd.wap.multipart.mixed"), parts: [])
    let id = try #require(try store.receive(retrieveConf: try message.encoded()))
    let show = [scratch("messages"), "--show", PathBytes("\(try store.message(id).thread.rawValue)")]
    let record = try #require(try run(show).records.first)
    #expect(record["state"] as? String == "received")
    #expect(record["isInvalid"] as? Bool == true)
    try store.close()
  }

  /// A carrier from which a part of a message has arrived, until the gate lets it go on.
  private struct Slow: MessageOutbox.Network {
    let gate: AsyncStream<Void>

    func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer { .mms([]) }
    func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] {
      progress(2_500, 10_000)
      for await _ in gate { break }
      throw MessageOutbox.Failure.permanent(.notFound)
    }
  }

  @Test("A message that is being downloaded has the bytes so far and in all") func progress() async throws {
    let scratch = try Scratch()
    let store = try MessageStore(folder: scratch("messages"))
    try store.changeSettings { $0.retrievalMode = .automatic }
    var notification = MMSMessage(.notificationInd, transactionID: "t1")
    notification[.contentLocation] = "http://mmsc/1"
    let id = try #require(try store.receive(try notification.encoded()))
    let (gate, next) = AsyncStream.makeStream(of: Void.self)
    let changes = store.changes
    let running = Task { try await MessageOutbox(store, network: Slow(gate: gate)).runDue() }
    for await _ in changes {
      if try store.message(id).retrieval?.progress != nil { break }
    }
    let show = [scratch("messages"), "--show", PathBytes("\(try store.message(id).thread.rawValue)")]
    let record = try #require(try run(show).records.first)
    #expect(record["state"] as? String == "pending")
    #expect(record["receivedBytes"] as? Int == 2_500)
    #expect(record["totalBytes"] as? Int == 10_000)
    #expect(try run(show + ["--table"]).output.contains("pending, 25 %"))
    next.yield()
    _ = try await running.value
    #expect(try run(show).records.first?["receivedBytes"] == nil)
    try store.close()
  }

  @Test("A thread is exported with its texts and files under safe names, and nothing is replaced")
  func export() async throws {
    let scratch = try Scratch()
    let store = try await filled(scratch)
    let thread = try #require(try store.threads().first)
    let id = try #require(try store.messages(in: thread.id).first).id.rawValue
    let arguments = [scratch("messages"), "--export", PathBytes("\(thread.id.rawValue)"), "-o", scratch("out")]
    let result = try run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.output.contains("see this"))
    let names = scratch.files(below: "out").sorted()
    #expect(names == ["\(id)/privategpj.exe.jpg", "\(id)/text.txt", "messages.ndjson"])
    let list = try String(contentsOfFile: scratch("out/messages.ndjson").text, encoding: .utf8)
    #expect(list.contains("see this"))
    #expect(list.contains("Lake"))
    let file = try #require(names.first { $0.hasSuffix(".jpg") })
    #expect(try String(contentsOfFile: scratch("out").text + "/" + file, encoding: .utf8) == "bytes")
    #expect(try run(arguments).status == 0)
    #expect(scratch.files(below: "out").count == 2 * names.count)

    // A file that the store has lost fails, and the others are written.
    for path in try store.messages(in: thread.id).flatMap(\.parts).compactMap(\.path) {
      try FileManager.default.removeItem(atPath: path.text)
    }
    let lost = try run([scratch("messages"), "--export", arguments[2], "-o", scratch("lost")])
    #expect(lost.status == 1)
    #expect(lost.errors.contains("1 file could not be exported"))
    #expect(lost.output.contains("notFound"))
    #expect(scratch.files(below: "lost").sorted() == ["\(id)/text.txt", "messages.ndjson"])
    try store.close()
  }

  @Test("A thread that is not there, a folder without messages and options that need another have their statuses")
  func failures() async throws {
    let scratch = try Scratch()
    let store = try await filled(scratch)
    try store.close()
    let missing = try run([scratch("messages"), "--show", "99"])
    #expect(missing.status == 1)
    #expect(missing.output == "")
    #expect(missing.errors.contains("notFound: The thread 99 does not exist; it may have been deleted."))
    let other = try run([scratch("none")])
    #expect(other.status == 64)
    #expect(other.errors.contains("notAMessageStore"))
    #expect(scratch.files(below: "none").isEmpty)
    for arguments: [PathBytes] in [
      ["--show", "1", "--export", "1", "-o", "x"], ["--verify", "--show", "1"], ["--export", "1"], ["-o", "x"],
      ["--show", "0"],
      ["--json", "--table"],
    ] { #expect(try run([scratch("messages")] + arguments).status == 64, "\(arguments)") }
    // The store is what it was.
    let again = try MessageStore(folder: scratch("messages"))
    #expect(try again.verify().isEmpty)
  }

  @Test("--verify prints each problem, and what it does not check; the status is 1 if there is one")
  func verify() async throws {
    let scratch = try Scratch()
    let store = try await filled(scratch)
    let fine = try run([scratch("messages"), "--verify"])
    #expect(fine.status == 0)
    #expect(fine.output == "")
    #expect(fine.errors.contains("0 problems; not checked: wordIndex, leaseLost"))
    let path = try #require(
      try store.threads().flatMap { try store.messages(in: $0.id) }.flatMap(\.parts).compactMap(\.path).first)
    try FileManager.default.removeItem(atPath: path.text)
    let found = try run([scratch("messages"), "--verify"])
    #expect(found.status == 1)
    #expect(try found.records.map { $0["code"] as? String } == ["fileMissing"])
    #expect(try run([scratch("messages"), "--verify", "--table"]).output.hasPrefix("fileMissing: "))
    try store.close()
  }

  @Test("A store that was closed is read in a folder that cannot be written, and nothing is written next to it")
  func readOnlyCopy() async throws {
    let scratch = try Scratch()
    try await filled(scratch).close()
    let copy = scratch("copy 50%?")
    try FileManager.default.copyItem(atPath: scratch("messages").text, toPath: copy.text)
    let before = scratch.files(below: "copy 50%?")
    for arguments: [PathBytes] in [[copy], [copy, "--verify"]] {
      guard let result = try run(arguments, withoutWritingTo: copy) else {
        return print("skipped, root may not mount here, and can write to every folder")
      }
      #expect(result.status == 0, "\(result.errors)")
      #expect(try result.records.count == (arguments.count == 1 ? 2 : 0))
    }
    #expect(scratch.files(below: "copy 50%?") == before)
  }

  /// Runs the command without the right to write to a folder. Root can write to every folder that is not mounted for reading only; nil if it cannot mount.
  private func run(_ arguments: [PathBytes], withoutWritingTo folder: PathBytes) throws -> Command.Output? {
    guard geteuid() == 0 else {
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.text)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.text) }
      return try run(arguments)
    }
    let path = "'\(folder.text)'"
    let script = "mount --bind \(path) \(path) && mount -o remount,bind,ro \(path) && exec \"$@\""
    let words = ["--mount", "sh", "-c", script, "sh"]
    guard try Tool("unshare", package: "util-linux").run(words + ["true"]).status == 0 else { return nil }
    return try Command.run(["messages"] + arguments, wrapper: ["unshare"] + words)
  }
}
