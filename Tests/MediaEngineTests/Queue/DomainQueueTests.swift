internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

/// Which slot takes which job, so that few workers are replaced and nobody waits for ever.
@Suite("Domains in the queue") struct DomainQueueTests {
  private let job = MediaJob(facts: .found(ProbeOptions(), claim: nil))

  private func submit(
    _ queue: JobQueue, _ name: String, _ owner: String, _ priority: MediaEngine.Priority = .interactive
  ) -> JobQueue.Position? {
    let key = JobKey(source: .path(name), job: job, domain: .owner(owner))
    let admission = queue.submit(key, priority: priority, isBounded: false) { _ in }
    guard case .admitted(let position, _) = admission else { return nil }
    return position
  }

  private func owner(_ job: QueuedJob?) -> MediaEngine.TrustDomain? { job?.key.domain }

  @Test func `The same file of two owners is decoded twice`() {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "a", "ada")
    _ = submit(queue, "a", "ada")
    #expect(queue.waitingCount == 1)
    _ = submit(queue, "a", "bob")
    #expect(queue.waitingCount == 2)
  }

  @Test func `A slot takes a job of the domain that its worker has served`() {
    let queue = JobQueue(limit: 9)
    for (name, owner) in [("1", "ada"), ("2", "bob"), ("3", "ada"), ("4", "bob")] { _ = submit(queue, name, owner) }
    let order = (0..<4).map { _ in owner(queue.next(domain: .owner("bob")) {}) }
    #expect(order == [.owner("bob"), .owner("bob"), .owner("ada"), .owner("ada")])
  }

  @Test func `An older job is skipped eight times at most`() {
    let queue = JobQueue(limit: 99)
    _ = submit(queue, "old", "ada")
    for number in 0..<20 { _ = submit(queue, "\(number)", "bob") }
    let order = (0..<9).map { _ in owner(queue.next(domain: .owner("bob")) {}) }
    #expect(order == Array(repeating: .owner("bob"), count: 8) + [.owner("ada")])
  }

  @Test func `An interactive job of another domain precedes a background job of the same`() {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "scan", "bob", .batch)
    _ = submit(queue, "person", "ada")
    #expect(owner(queue.next(domain: .owner("bob")) {}) == .owner("ada"))
  }

  /// A slot that waits on a thread of its own, and what it got.
  private func wait(_ queue: JobQueue, _ domain: MediaEngine.TrustDomain?) -> Locked<[MediaEngine.TrustDomain]> {
    let taken = Locked<[MediaEngine.TrustDomain]>([])
    Thread.detachNewThread {
      while let job = queue.next(domain: domain, wakeSlot: {}) {
        taken.withLock { $0.append(job.key.domain) }
        queue.finish(job, .failure(.cancelled))
      }
    }
    return taken
  }

  @Test func `An idle slot of the same domain takes a job first`() async {
    let queue = JobQueue(limit: 9)
    let slots = ["ada", "bob", "eve"].map { wait(queue, .owner($0)) }
    for number in 0..<60 {
      while queue.waitingSlots.count < 3 { await Task.yield() }
      _ = submit(queue, "\(number)", ["eve", "ada", "bob"][number % 3])
      while slots.reduce(0, { $0 + $1.withLock(\.count) }) <= number { await Task.yield() }
    }
    for (slot, name) in zip(slots, ["ada", "bob", "eve"]) {
      #expect(slot.withLock { $0 } == Array(repeating: .owner(name), count: 20))
    }
    queue.close()
  }

  @Test func `A new owner gets a slot whose worker has served nobody`() async {
    let queue = JobQueue(limit: 9)
    let (used, fresh) = (wait(queue, .owner("ada")), wait(queue, nil))
    for number in 0..<20 {
      while queue.waitingSlots.count < 2 { await Task.yield() }
      _ = submit(queue, "\(number)", "\(number)")
      while used.withLock(\.count) + fresh.withLock(\.count) <= number { await Task.yield() }
    }
    #expect(used.withLock { $0 } == [])
    queue.close()
  }

  @Test func `No job waits while a slot is idle`() async {
    let queue = JobQueue(limit: 9_999)
    let slots = (0..<4).map { wait(queue, $0 == 0 ? nil : .owner("\($0)")) }
    var random = SeededGenerator(seed: 3)
    for number in 0..<2_000 {
      _ = submit(queue, "\(number)", "\(random.below(6))", random.below(2) == 0 ? .batch : .interactive)
      if random.below(20) == 0 { await Task.yield() }
    }
    while slots.reduce(0, { $0 + $1.withLock(\.count) }) < 2_000 { await Task.yield() }
    queue.close()
    #expect(queue.waitingCount == 0)
  }
}
