internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("Retrieval into a message store") struct StoredRetrievalTests {
  func store(_ mode: MessageSettings.RetrievalMode, own: [String] = []) throws -> TestStore {
    let test = try TestStore { $0.ownAddresses = own }
    try test.store.changeSettings { $0.retrievalMode = mode }
    return test
  }

  @Test("with manual retrieval a notification waits for the user, and the message replaces it")
  func manual() async throws {
    let test = try store(.manual)
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.fetched.isEmpty)
    #expect(network.pdus.map { $0[.status] } == [.deferred])
    var message = try test.store.message(id)
    #expect(message.retrieval?.shown(at: test.phone.now) == .notDownloaded)
    #expect(message.parts.allSatisfy { $0.path == nil })
    #expect(MessageModule.modules(of: message.content()).map(\.action) == [.download])
    #expect(try test.thread.summary.preview == .notDownloaded)

    try test.store.download(id)
    try await MessageOutbox(test.store, network: network).runDue()
    message = try test.store.message(id)
    #expect(message.retrieval?.state == .received)
    #expect(message.subject == "Holiday")
    #expect(message.text == "Look at the lake")
    let file = try #require(message.parts.first { $0.text == nil })
    #expect(file.name == "lake.jpg")
    let path = try #require(file.path)
    #expect(try String(contentsOfFile: path.text, encoding: .utf8) == "photo 1")
    #expect(network.pdus.last?.type == .acknowledgeInd)
    #expect(try test.thread.summary.hasAttachment)
    #expect(try test.thread.messageCount == 1)
  }

  @Test("automatic retrieval downloads at once, in the home network only if the settings say so")
  func automatic() async throws {
    for (mode, isRoaming, isFetched) in [
      (MessageSettings.RetrievalMode.automatic, false, true), (.automatic, true, true), (.automaticHome, false, true),
      (.automaticHome, true, false), (.never, false, false),
    ] {
      let test = try store(mode)
      test.phone.conditions.isRoaming = isRoaming
      let network = FakeNetwork()
      try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
      let id = try #require(try test.store.receive(try OperatorPDU.notification()))
      try await MessageOutbox(test.store, network: network).runDue()
      #expect(network.fetched.isEmpty != isFetched, "\(mode) \(isRoaming)")
      #expect((try test.store.message(id).retrieval?.state == .received) == isFetched, "\(mode) \(isRoaming)")
    }
  }

  @Test("a second notification is the same message, by transaction or by address, and repeats the answer")
  func twice() async throws {
    var test = try store(.automatic)
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let id = try test.store.receive(try OperatorPDU.notification())
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.pdus.count == 1)
    try test.restart()
    #expect(try test.store.receive(try OperatorPDU.notification()) == id)
    #expect(try test.store.receive(try OperatorPDU.notification(location: "http://mmsc/other")) == id)
    #expect(try test.store.receive(try OperatorPDU.notification(transaction: "other")) == id)
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.thread.messageCount == 1)
    #expect(network.fetched.count == 1)
    #expect(network.pdus.count == 2)
    #expect(network.pdus[0] == network.pdus[1])
  }

  @Test("a deleted message does not come back with a second notification")
  func deleted() async throws {
    var test = try store(.manual)
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try test.store.delete(id)
    try test.restart()
    #expect(try test.store.receive(try OperatorPDU.notification()) == nil)
    #expect(try test.store.threads().isEmpty)
    let error = #expect(throws: MessageStore.Failure.self) { try test.store.download(id) }
    #expect(error?.code == .notFound)
  }

  @Test("a message that expired at the carrier is refused, and stays expired")
  func expired() async throws {
    var test = try store(.manual)
    let id = try #require(try test.store.receive(try OperatorPDU.notification(expiry: 100)))
    test.phone.now += 200
    let error = #expect(throws: MessageStore.Failure.self) { try test.store.download(id) }
    #expect(error?.reason == .expired)
    try test.restart()
    #expect(try test.store.message(id).retrieval?.state == .expired)
  }

  @Test("a clock that is wrong for a moment does not let a message expire")
  func wrongClock() async throws {
    let test = try store(.manual)
    test.phone.now = 1_700_000_000
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification(expiry: 259_200)))
    let outbox = MessageOutbox(test.store, network: network)
    try await outbox.runDue()
    for now in [0.0, 1_700_000_010] {
      test.phone.now = now
      try await outbox.runDue()
      let retrieval = try #require(try test.store.message(id).retrieval)
      #expect(retrieval.state == .manual)
      #expect(retrieval.shown(at: now) == .notDownloaded)
    }
    try test.store.download(id)
    try await outbox.runDue()
    #expect(try test.store.message(id).retrieval?.state == .received)
  }

  @Test("a failed download is repeated when it is due, also after a restart")
  func retried() async throws {
    var test = try store(.automatic)
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    network.fail(MessageOutbox.Failure.transient(.transient))
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(id).retrieval?.state == .waiting)
    try test.restart()
    test.phone.now += 60
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(id).retrieval?.state == .received)
  }

  @Test("a download that was under way when the process ended is made again")
  func afterKill() async throws {
    var test = try store(.automatic)
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    #expect(try test.store.leaseNext()?.kind == .fetch)
    try test.restart()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(id).retrieval?.state == .received)
  }

  @Test("an answer that cannot be sent is kept and sent later")
  func answers() async throws {
    var test = try store(.manual)
    let network = FakeNetwork()
    network.fail(MessageOutbox.Failure.transient(.noSignal))
    try test.store.receive(try OperatorPDU.notification())
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.waiting(.answer) == 1)
    try test.restart()
    test.phone.now += 10
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.waiting(.answer) == 0)
    #expect(network.pdus.count == 2)
  }

  @Test("a read report is sent once, if the sender wants it and the settings allow it")
  func readReports() async throws {
    for isAllowed in [true, false] {
      let test = try store(.automatic)
      try test.store.changeSettings { $0.sendsReadReports = isAllowed }
      let network = FakeNetwork()
      try network.keep(try OperatorPDU.retrieved(wantsReadReport: true), at: "http://mmsc/1")
      try test.store.receive(try OperatorPDU.notification())
      let outbox = MessageOutbox(test.store, network: network)
      try await outbox.runDue()
      for _ in 0..<2 { try test.store.markRead(try test.thread.id) }
      try await outbox.runDue()
      let reports = network.pdus.filter { $0.type == .readRecInd }
      #expect(reports.count == (isAllowed ? 1 : 0))
      #expect(reports.first?[all: .to].first?.address.value == (isAllowed ? Sample.ann : nil))
    }
  }

  @Test("a read report is sent for a message whose notification was read before it was downloaded")
  func readBeforeDownload() async throws {
    let test = try store(.manual)
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(wantsReadReport: true), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try test.store.markRead(try test.thread.id)
    #expect(try test.thread.summary.unreadCount == 0)
    try test.store.download(id)
    let outbox = MessageOutbox(test.store, network: network)
    try await outbox.runDue()
    #expect(try test.thread.summary.unreadCount == 1)
    try test.store.markRead(try test.thread.id)
    try await outbox.runDue()
    #expect(network.pdus.filter { $0.type == .readRecInd }.map { $0[.readStatus] } == [.read])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("the files of a message that is deleted during its download are removed with it")
  func deletedDuringDownload() async throws {
    let test = try store(.automatic)
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    let job = try #require(try test.store.leaseNext())
    try test.store.delete(id)
    try test.store.take(try OperatorPDU.retrieved().encoded(), of: job)
    #expect(test.storedFiles.isEmpty)
    #expect(try test.store.threads().isEmpty)
  }

  @Test("an SMS that is delivered again is the same message, and does not come back once it is deleted")
  func smsAgain() throws {
    var test = try store(.manual)
    let id = try #require(try test.store.receive(sms: "hello", from: Sample.ann, at: 900))
    try test.restart()
    #expect(try test.store.receive(sms: "hello", from: Sample.ann, at: 900) == id)
    #expect(try test.thread.messageCount == 1)
    // Another text, another time, another sender: other messages. Without a time nobody knows.
    for (text, sender, time) in [
      ("hello!", Sample.ann, 900.0), ("hello", Sample.ann, 901), ("hello", Sample.ben, 900), ("hello", Sample.ann, nil),
      ("hello", Sample.ann, nil),
    ] { #expect(try test.store.receive(sms: text, from: sender, at: time) != id) }
    #expect(try test.store.threads().map(\.messageCount).reduce(0, +) == 6)
    try test.store.delete(id)
    #expect(try test.store.receive(sms: "hello", from: Sample.ann, at: 900) == nil)
    #expect(try test.store.threads().map(\.messageCount).reduce(0, +) == 5)
  }

  @Test("a text is stored whole when it has a NUL")
  func nul() throws {
    let test = try store(.manual)
    let id = try #require(try test.store.receive(sms: "before\0after", from: "Bank\0 of Ann"))
    let message = try test.store.message(id)
    #expect(message.text == "before\u{FFFD}after")
    #expect(message.sender == "Bank\u{FFFD} of Ann")
    #expect(try test.thread.summary.participants == ["Bank\u{FFFD} of Ann"])
    #expect(try test.store.thread(with: ["Bank\0 of Ann"]) == message.thread)
    #expect(try test.store.search("after").map(\.id) == [id])
    #expect(try test.store.verify().isEmpty)
    let sent = try test.store.send(Sample.text("one\0two", to: Sample.ben))
    #expect(try test.store.message(sent).text == "one\u{FFFD}two")
  }

  @Test("a sender may get no delivery report if the settings forbid it")
  func deliveryReports() async throws {
    let test = try store(.automatic)
    try test.store.changeSettings { $0.allowsDeliveryReports = false }
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    try test.store.receive(try OperatorPDU.notification())
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.pdus.map { $0[.reportAllowed] } == [false])
  }

  @Test("data that is no pushed message is refused, and an unreadable notification is answered")
  func unreadable() async throws {
    let test = try store(.automatic)
    var error = #expect(throws: MessageStore.Failure.self) { try test.store.receive([1, 2, 3]) }
    #expect(error?.code == .unrecognized)
    error = #expect(throws: MessageStore.Failure.self) {
      try test.store.receive(try OperatorPDU.retrieved().encoded())
    }
    #expect(error?.code == .unrecognized)
    #expect(try test.store.receive(try MMSMessage(.notificationInd, transactionID: "x").encoded()) == nil)
    let network = FakeNetwork()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.pdus.map { $0[.status] } == [.unrecognised])
    #expect(try test.store.threads().isEmpty)
  }
}
