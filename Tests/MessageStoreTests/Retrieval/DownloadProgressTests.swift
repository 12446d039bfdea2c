internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("The progress of downloads into a message store") struct DownloadProgressTests {
  @Test("R-MMS-49: a message that is being downloaded is pending, and each step of its progress is a change")
  func steps() async throws {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    let (gate, next) = AsyncStream.makeStream(of: Void.self)
    // The notification states 10,000 bytes. One percent more is no step.
    network.reportProgress([(2_500, nil), (2_600, nil), (18_000, 20_000)], waitingFor: gate)
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    let thread = try test.thread.id
    let changes = test.store.changes
    let store = test.store
    let running = Task { try await MessageOutbox(store, network: network).runDue() }
    var steps: [MessageRetrieval] = []
    for await change in changes where change == .message(id, in: thread) {
      let retrieval = try #require(try test.store.message(id).retrieval)
      guard retrieval.state == .pending else { break }
      steps.append(retrieval)
      next.yield()
      if steps.count == 1 { next.yield() }
    }
    _ = try await running.value
    #expect(steps.map(\.receivedBytes) == [2_500, 18_000])
    #expect(steps.map(\.totalBytes) == [10_000, 20_000])
    #expect(steps.map(\.progress) == [0.25, 0.9])
    #expect(steps.allSatisfy { $0.shown(at: test.phone.now) == .pending })
    let received = try #require(try test.store.message(id).retrieval)
    #expect(received.state == .received)
    #expect(received.progress == nil)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a download that is made again after a restart begins at 0, and an earlier one changes nothing")
  func restarted() throws {
    var test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    let job = try #require(try test.store.leaseNext())
    try test.store.storeProgress(5_000, of: nil, by: job)
    #expect(try test.store.message(id).retrieval?.progress == 0.5)
    try test.restart()
    #expect(try test.store.message(id).retrieval?.progress == 0)
    #expect(try test.store.message(id).retrieval?.totalBytes == 10_000)
    // Not leased: nothing downloads it.
    try test.store.storeProgress(9_000, of: nil, by: job)
    #expect(try test.store.message(id).retrieval?.progress == 0)
  }
}
