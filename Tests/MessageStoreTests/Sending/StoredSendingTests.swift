internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("Sending from a message store") struct StoredSendingTests {
  @Test("a draft that was changed since it was read is not sent, and stays") func changedDraft() throws {
    let test = try TestStore()
    let first = Sample.text("one", to: Sample.ann)
    let draft = try #require(try test.store.saveDraft(first, in: .participants([Sample.ann])))
    let read = try test.store.draft(draft).message
    try test.store.saveDraft(Sample.text("two", to: Sample.ann), in: .draft(draft))
    let error = #expect(throws: MessageStore.Failure.self) {
      try test.store.send(read, contents: [:], from: draft, expecting: read)
    }
    #expect(error?.code == .draftChanged)
    #expect(try test.store.draft(draft).message.text == "two")
    #expect(try test.thread.messageCount == 0)
    let now = try test.store.draft(draft).message
    try test.store.send(now, contents: [:], from: draft, expecting: now)
    #expect(try test.thread.messageCount == 1)
    #expect(try test.store.draftCount() == 0)
  }

  @Test("a file of a message names the file that it was made of, also after a restart, unless it is that file")
  func sources() throws {
    var test = try TestStore()
    let bytes = Array("small".utf8)
    let original = try #require(ContentDigest(bytes: Data(repeating: 7, count: 32)))
    let reduced = try test.store.send(
      Sample.picture(to: Sample.ann), contents: ["photo": bytes], sources: ["photo": original])
    try test.restart()
    #expect(try test.store.message(reduced).parts.map(\.source) == [nil, original, nil])
    let own = try #require(try test.store.message(reduced).parts[1].digest)
    #expect(own != original)
    let unchanged = try test.store.send(
      Sample.picture(to: Sample.ann), contents: ["photo": bytes], sources: ["photo": own])
    #expect(try test.store.message(unchanged).parts.map(\.digest) == [nil, own, nil])
    #expect(try test.store.message(unchanged).parts.map(\.source) == [nil, nil, nil])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("an SMS goes to each recipient once, and is sent when all are accepted")
  func sms() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.text("hello", to: Sample.ann, Sample.ben))
    #expect(try test.store.message(id).sending?.state == .sending)
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 2)
    #expect(network.texts == ["\(Sample.ann): hello", "\(Sample.ben): hello"])
    #expect(try test.store.message(id).sending?.state == .sent)
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 0)
  }

  @Test("an MMS is one request with the texts and the bytes of the files")
  func mms() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(
      Sample.picture(to: Sample.ann, subject: "Lake"), files: ["photo": try test.file("bytes")])
    try await MessageOutbox(test.store, network: network).runDue()
    let request = try #require(network.pdus.first)
    #expect(request.subjectText == "Lake")
    #expect(request.parts.contains { Array($0.content) == Array("bytes".utf8) })
    #expect(request.parts.contains { $0.text == "before" })
    #expect(try test.store.message(id).sending?.messageID == "id-1")
  }

  @Test("a refused message fails with the reason, and one that is sent or pending is not sent again")
  func refused() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    network.fail(MessageOutbox.Failure.permanent(.refused))
    let id = try test.store.send(Sample.text("hello", to: Sample.ann))
    var error = #expect(throws: MessageStore.Failure.self) { try test.store.resend(id) }
    #expect(error?.reason == .pending)
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(id).sending?.error == .refused)
    try test.store.resend(id)
    try await MessageOutbox(test.store, network: network).runDue()
    error = #expect(throws: MessageStore.Failure.self) { try test.store.resend(id) }
    #expect(error?.reason == .alreadyDone)
  }

  @Test("a message whose file is gone fails, and the next one is sent")
  func missingFile() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let lost = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    let next = try test.store.send(Sample.text("next", to: Sample.ann))
    for path in test.storedFiles { try FileManager.default.removeItem(atPath: path) }
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(lost).sending?.error == .attachmentMissing)
    #expect(try test.store.message(next).sending?.state == .sent)
  }

  @Test("a message whose file cannot be read now is sent later") func unreadableFile() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    let path = try #require(test.storedFiles.first)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    // A folder cannot be read as a file, not even by root.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    await #expect(throws: MessageStore.Failure.self) { try await MessageOutbox(test.store, network: network).runDue() }
    #expect(try test.store.message(id).sending?.error == nil)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    test.phone.now += 60
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 1)
    #expect(try test.store.message(id).sending?.state == .sent)
  }

  @Test("a clock that is set back delays nothing: requests are made at once, and retries after their delay")
  func clockSetBack() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    test.phone.now = 1_000_000
    network.fail(MessageOutbox.Failure.transient(.transient))
    let retried = try test.store.send(Sample.text("retried", to: Sample.ann))
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(retried).sending?.state == .waiting)
    let next = try test.store.send(Sample.text("next", to: Sample.ben))
    test.phone.now = 5_000
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 1)
    #expect(try test.store.message(next).sending?.state == .sent)
    #expect(try test.store.nextDue() == 5_010)
    test.phone.now = 5_009
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 0)
    test.phone.now = 5_010
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 1)
    #expect(try test.store.message(retried).sending?.state == .sent)
  }

  @Test("an answer to an MMS that is not M-Send.conf is no answer: the message is sent again")
  func otherAnswers() async throws {
    /// Answers with what a test says.
    struct Answering: MessageOutbox.Network {
      let answer: MessageOutbox.Answer
      func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer { answer }
      func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] { [] }
    }
    var confirmation = MMSMessage(.sendConf)
    confirmation[.responseStatus] = .ok
    for (answer, state) in [
      (MessageOutbox.Answer.mms(try OperatorPDU.delivery("id", to: Sample.ann)), MessageSending.State.waiting),
      (.mms(try OperatorPDU.reading("id", from: Sample.ann)), .waiting), (.mms([]), .waiting),
      (.mms(Array("<html>".utf8)), .waiting), (.sms(reference: "1"), .waiting),
      (.mms(try confirmation.encoded()), .sent),
    ] {
      let test = try TestStore()
      let mms = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
      try await MessageOutbox(test.store, network: Answering(answer: answer)).runDue()
      let sending = try #require(try test.store.message(mms).sending)
      #expect(sending.state == state, "\(answer)")
      #expect(sending.recipients.allSatisfy { $0.delivery != .success && $0.reading != .read })
    }
    // Whether the SMS was sent, nobody knows.
    let test = try TestStore()
    let sms = try test.store.send(Sample.text("hello", to: Sample.ann))
    try await MessageOutbox(test.store, network: Answering(answer: .mms(try confirmation.encoded()))).runDue()
    #expect(try test.store.message(sms).sending?.error == .unknownOutcome)
  }

  @Test("settings survive a restart, and reports that are off are not requested")
  func settings() async throws {
    var test = try TestStore()
    try test.store.changeSettings {
      $0.retrievalMode = .automaticHome
      $0.requestsReadReports = false
    }
    try test.restart()
    #expect(try test.store.settings().retrievalMode == .automaticHome)
    let network = FakeNetwork()
    try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.pdus.first?[.deliveryReport] == false)
    #expect(network.pdus.first?[.readReport] == false)
  }

  @Test("a running outbox sends what is added while it waits, and ends when the store is closed")
  func running() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let outbox = MessageOutbox(test.store, network: network)
    let changes = test.store.changes
    let running = Task { try await outbox.run() }
    let id = try test.store.send(Sample.text("hello", to: Sample.ann))
    for await change in changes where change == .sent(id, .sent) { break }
    #expect(network.texts.count == 1)
    try test.store.close()
    try await running.value
  }

  @Test("an outbox that is cancelled stores the outcome of the request that is under way")
  func cancelled() async throws {
    /// Answers when its task is cancelled.
    struct Slow: MessageOutbox.Network {
      let started: AsyncStream<Void>.Continuation

      func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
        started.yield()
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        return .sms(reference: nil)
      }

      func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] { [] }
    }
    let test = try TestStore()
    let id = try test.store.send(Sample.text("hello", to: Sample.ann))
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let outbox = MessageOutbox(test.store, network: Slow(started: continuation))
    let running = Task { try await outbox.runDue() }
    for await _ in started { break }
    running.cancel()
    _ = await running.result
    #expect(try test.store.message(id).sending?.state == .sent)
  }
}
