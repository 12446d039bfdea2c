internal import AttachmentPolicy
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("A running outbox") struct OutboxRunTests {
  /// Waits until the outcome of a message is reported.
  private func wait(for state: MessageSending.State, of id: MessageStore.Message.ID, _ store: MessageStore) async throws
  {
    let changes = store.changes
    if try store.message(id).sending?.state == state { return }
    for await _ in changes {
      if try store.message(id).sending?.state == state { return }
    }
  }

  @Test(
    "a running outbox survives failures of the network and of the database, reports the latter, and sends each message once"
  )
  func failures() async throws {
    let test = try TestStore()
    let store = test.store
    let network = FakeNetwork()
    let (failures, reporter) = AsyncStream.makeStream(of: MessageStore.Failure.Code?.self)
    let outbox = MessageOutbox(store, network: network)
    let running = Task {
      try await outbox.run { reporter.yield(($0 as? MessageStore.Failure)?.code) }
    }
    // The network fails in every way: it knows nothing, it is busy.
    network.fail(FakeNetwork.Unknown(), MessageOutbox.Failure.transient(.transient))
    let mms = [
      try store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("one")]),
      try store.send(Sample.picture(to: Sample.ben), files: ["photo": try test.file("two")]),
    ]
    for id in mms { try await wait(for: .waiting, of: id, store) }
    // The database fails: the outcome of the request cannot be stored.
    try test.damage(
      """
      CREATE TRIGGER full BEFORE DELETE ON outbox WHEN OLD.lease BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
      """)
    let sms = try store.send(Sample.text("hello", to: Sample.ann))
    for await code in failures {
      #expect(code == .system)
      break
    }
    #expect(try store.message(sms).sending?.state == .sending)
    // It is there again; a change wakes the outbox before its pause ends.
    try test.damage("DROP TRIGGER full")
    test.phone.now += 3_600
    let last = try store.send(Sample.text("goodbye", to: Sample.ann))
    for id in mms + [sms, last] { try await wait(for: .sent, of: id, store) }
    #expect(network.texts == ["\(Sample.ann): hello", "\(Sample.ann): goodbye"])
    #expect(network.pdus.count == 4)
    #expect(try store.verify().isEmpty)
    try store.close()
    try await running.value
  }

  @Test("a message whose state cannot be read keeps no others from being sent") func unreadable() async throws {
    let test = try TestStore()
    let store = test.store
    let network = FakeNetwork()
    network.fail(MessageOutbox.Failure.transient(.transient))
    let lost = try store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("one")])
    let outbox = MessageOutbox(store, network: network)
    try await outbox.runDue()
    #expect(try test.waiting(.timer) == 1)
    try test.damage("UPDATE message SET machine = x'00' WHERE id = \(lost.rawValue)")
    test.phone.now += 3_600
    let other = try store.send(Sample.text("hello", to: Sample.ben))
    try await outbox.runDue()
    #expect(try store.message(other).sending?.state == .sent)
    #expect(try test.waiting(.timer) == 1)
    #expect(try store.nextDue() == test.phone.now + 3_600)
    try store.fireTimers()
    #expect(try store.verify().map(\.code) == [.unreadable])
  }

  @Test("a store with an SMS whose state cannot be read can be opened, and does not send it again")
  func unreadableAtStart() async throws {
    var test = try TestStore()
    let lost = try test.store.send(Sample.text("lost", to: Sample.ann))
    let other = try test.store.send(Sample.text("hello", to: Sample.ben))
    // The process before has ended while it sent the first.
    try test.damage("UPDATE outbox SET lease = 1 WHERE message = \(lost.rawValue)")
    try test.damage("UPDATE message SET machine = x'00' WHERE id = \(lost.rawValue)")
    try test.restart()
    let network = FakeNetwork()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.texts == ["\(Sample.ben): hello"])
    #expect(try test.store.message(other).sending?.state == .sent)
    #expect(try test.store.verify().contains { $0.code == .unreadable })
  }

  @Test("a message that arrives and cannot be stored for damage is not downloaded again every minute")
  func unreadableNotification() async throws {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try test.damage("UPDATE message SET machine = x'00' WHERE id = \(id.rawValue)")
    let outbox = MessageOutbox(test.store, network: network)
    for _ in 0..<5 {
      _ = try? await outbox.runDue()
      test.phone.now += 120
    }
    #expect(network.fetched.count == 1)
    test.phone.now += 3_600
    _ = try? await outbox.runDue()
    #expect(network.fetched.count == 2)
  }

  @Test("requests that fail keep none after them from being made, and the first failure is thrown")
  func failedRequests() async throws {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let network = FakeNetwork()
    for number in 1...3 {
      try network.keep(try OperatorPDU.retrieved(number), at: "http://mmsc/\(number)")
      let id = try #require(try test.store.receive(try OperatorPDU.notification(number)))
      try test.damage("UPDATE message SET machine = x'00' WHERE id = \(id.rawValue)")
    }
    let sms = try test.store.send(Sample.text("hello", to: Sample.ann))
    let error = await #expect(throws: MessageStore.Failure.self) {
      try await MessageOutbox(test.store, network: network).runDue()
    }
    #expect(error?.code == .corrupt)
    #expect(network.fetched.count == 3)
    #expect(try test.store.message(sms).sending?.state == .sent)
    #expect(try test.waiting(.fetch) == 3)
  }

  @Test("after a failure of the store, a request that becomes due before the end of the pause is made on time")
  func dueWithinPause() {
    #expect(MessageOutbox.wait(pause: 60, due: 1_005, now: 1_000) == 5)
    #expect(MessageOutbox.wait(pause: 60, due: 1_100, now: 1_000) == 60)
    #expect(MessageOutbox.wait(pause: 60, due: nil, now: 1_000) == 60)
    // What was due has just failed: it is not made again and again.
    #expect(MessageOutbox.wait(pause: 60, due: 1_000, now: 1_000) == 60)
    #expect(MessageOutbox.wait(pause: 60, due: 10, now: 1_000) == 60)
  }

  @Test("an outbox of a store that is open for reading ends with the reason") func reading() async throws {
    let test = try TestStore()
    try test.store.send(Sample.text("hello", to: Sample.ann))
    let reader = try MessageStore(reading: test.store.folder)
    let error = await #expect(throws: MessageStore.Failure.self) {
      try await MessageOutbox(reader, network: FakeNetwork()).run()
    }
    #expect(error?.code == .readOnly)
    try reader.close()
  }
}
