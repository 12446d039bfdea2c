internal import AttachmentPolicy
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("An outbox whose store cannot be written") struct OutboxFullDiskTests {
  /// No leased request can be removed or released, as on a full disk.
  private func fill(_ test: TestStore) throws {
    for change in ["UPDATE", "DELETE"] {
      try test.damage(
        """
        CREATE TRIGGER full_\(change) BEFORE \(change) ON outbox WHEN OLD.lease
        BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
        """)
    }
  }

  private func free(_ test: TestStore) throws {
    for change in ["UPDATE", "DELETE"] { try test.damage("DROP TRIGGER full_\(change)") }
  }

  /// Runs an outbox on a full disk twice, and another one when there is space again.
  private func run(_ test: TestStore, _ network: FakeNetwork) async throws {
    try fill(test)
    let outbox = MessageOutbox(test.store, network: network)
    for _ in 0..<2 { await #expect(throws: MessageStore.Failure.self) { try await outbox.runDue() } }
    #expect(network.requests.count + network.fetched.count == 1)
    // This process has the outcome of the request.
    #expect(try test.store.verify().isEmpty)
    try free(test)
    try await MessageOutbox(test.store, network: network).runDue()
  }

  @Test("an SMS whose outcome cannot be stored is not sent again, and its outcome is stored when there is space")
  func sms() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.text("hello", to: Sample.ann))
    try await run(test, network)
    #expect(network.texts == ["\(Sample.ann): hello"])
    #expect(try test.store.message(id).sending?.state == .sent)
    #expect(try test.store.receive(.retrieved, ofSMS: "1", from: Sample.ann) == id)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("an MMS whose outcome cannot be stored is sent once") func mms() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    try await run(test, network)
    #expect(network.pdus.count == 1)
    #expect(try test.store.message(id).sending?.messageID == "id-1")
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a message that cannot be stored is downloaded again when there is space") func fetch() async throws {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try await run(test, network)
    #expect(network.fetched.count == 2)
    #expect(try test.store.message(id).retrieval?.state == .received)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("an answer whose outcome cannot be stored is sent once") func answer() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    try test.store.changeSettings { $0.retrievalMode = .manual }
    try test.store.receive(try OperatorPDU.notification())
    try await run(test, network)
    #expect(network.pdus.count == 1)
    #expect(try test.waiting(.answer) == 0)
  }

  @Test("an SMS to two people is sent to each once, although the outcome of the first cannot be stored at once")
  func severalRequests() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.text("hello", to: Sample.ann, Sample.ben))
    try await run(test, network)
    #expect(network.texts == ["\(Sample.ann): hello", "\(Sample.ben): hello"])
    #expect(try test.store.message(id).sending?.state == .sent)
  }

  @Test("a message whose state cannot be read keeps no others from being sent") func unreadable() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let damaged = try test.store.send(Sample.text("damaged", to: Sample.ann))
    try test.damage("UPDATE message SET machine = X'00'")
    let id = try test.store.send(Sample.text("hello", to: Sample.ben))
    let outbox = MessageOutbox(test.store, network: network)
    await #expect(throws: MessageStore.Failure.self) { try await outbox.runDue() }
    for _ in 0..<2 { try await outbox.runDue() }
    #expect(network.texts == ["\(Sample.ann): damaged", "\(Sample.ben): hello"])
    #expect(try test.store.message(id).sending?.state == .sent)
    #expect(try test.store.verify().contains { $0.detail.hasPrefix("message \(damaged.rawValue)") })
  }

  @Test("a lease that nobody has is reported, and a repair carries out its request; an SMS says that it is unknown")
  func lostLease() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    let mms = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    let sms = try test.store.send(Sample.text("hello", to: Sample.ann))
    let job = try #require(try test.store.leaseNext())
    #expect(try test.store.verify().isEmpty)
    try test.store.release(job, after: 0)
    try test.damage("UPDATE outbox SET lease = 1")
    #expect(try test.store.verify().map(\.code) == [.leaseLost, .leaseLost])
    #expect(try test.store.verify(repairs: true).map(\.code) == [.leaseLost, .leaseLost])
    #expect(try test.store.verify().isEmpty)
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.requests.count == 1)
    #expect(try test.store.message(mms).sending?.state == .sent)
    #expect(try test.store.message(sms).sending?.error == .unknownOutcome)
  }
}
