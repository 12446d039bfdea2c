internal import AttachmentPolicy
internal import MMSCodec
internal import Messaging
internal import Testing

@testable internal import MessageStore

extension StoredSendingTests {
  @Test("a temporary failure is repeated with the same transaction after a restart, when it is due")
  func retried() async throws {
    var test = try TestStore()
    let network = FakeNetwork()
    network.fail(MessageOutbox.Failure.transient(.transient))
    let id = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(id).sending?.state == .waiting)
    try test.restart()
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 0)
    test.phone.now += 10
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 1)
    #expect(Set(network.pdus.map(\.transactionID)).count == 1)
    #expect(try test.store.message(id).sending?.state == .sent)
  }

  @Test("without service a message waits across restarts until there is service")
  func service() async throws {
    var test = try TestStore()
    let network = FakeNetwork()
    test.phone.conditions.hasService = false
    let id = try test.store.send(Sample.text("hello", to: Sample.ann))
    try test.restart()
    test.phone.now += 1_000_000
    #expect(try await MessageOutbox(test.store, network: network).runDue() == 0)
    #expect(try test.store.message(id).sending?.state == .waiting)
    try test.store.serviceBecameAvailable()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(id).sending?.state == .sent)
  }

  @Test("an MMS that was with the carrier when the process ended is sent again with its transaction")
  func mmsAfterKill() async throws {
    var test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    let job = try #require(try test.store.leaseNext())
    let first = try #require(try test.store.request(job))
    #expect(try test.store.leaseNext() == nil)
    try test.restart()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.pdus.map(\.transactionID?.text) == [first.0.transactionID])
    #expect(try test.store.message(id).sending?.state == .sent)
  }

  @Test("an SMS that was with the network when the process ended says that its outcome is unknown; the others are sent")
  func smsAfterKill() async throws {
    var test = try TestStore()
    let network = FakeNetwork()
    let id = try test.store.send(Sample.text("hello", to: Sample.ann, Sample.ben))
    _ = try #require(try test.store.leaseNext())
    try test.restart()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.texts == ["\(Sample.ben): hello"])
    let sending = try #require(try test.store.message(id).sending)
    #expect(sending.state == .failed)
    #expect(sending.failures == [.unknownOutcome: [Sample.ann]])
    #expect(try test.thread.summary.lastSendFailed)

    try test.store.resend(id)
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.texts == ["\(Sample.ben): hello", "\(Sample.ann): hello"])
    #expect(try test.store.message(id).sending?.state == .sent)
  }

  @Test("an SMS of unknown outcome is sent again by itself if the app says so")
  func resendsUnknown() async throws {
    var test = try TestStore { $0.resendsUnknownSMS = true }
    let network = FakeNetwork()
    try test.store.send(Sample.text("hello", to: Sample.ann))
    _ = try #require(try test.store.leaseNext())
    try test.restart()
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.texts.count == 1)
  }

  @Test("an error that leaves the outcome open fails an SMS as unknown, and repeats an MMS")
  func openOutcome() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    network.fail(FakeNetwork.Unknown(), FakeNetwork.Unknown())
    let sms = try test.store.send(Sample.text("hello", to: Sample.ann))
    let mms = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.message(sms).sending?.error == .unknownOutcome)
    #expect(try test.store.message(mms).sending?.state == .waiting)
  }
}
