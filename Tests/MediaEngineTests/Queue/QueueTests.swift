internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaEngine

@Suite("The queue") struct QueueTests {
  /// The answers of jobs, by name, in the order in which they came.
  final class Answers: Sendable {
    let all = Locked<[String]>([])
    func add(_ name: String) -> Completion {
      { [all] result in
        let text =
          switch result {
          case .success: "done"
          case .failure(let failure): failure.code.rawValue
          }
        all.withLock { $0.append("\(name) \(text)") }
      }
    }
    var list: [String] { all.withLock { $0 } }
  }

  private let answers = Answers()
  private let job = MediaJob(facts: .found(ProbeOptions(), claim: nil))
  private var done: Result<JobAnswer, MediaFailure> {
    .success(JobAnswer(MediaJobResult(info: MediaInfo(type: .plainText, bytes: 1))))
  }

  private func key(_ name: String) -> JobKey { JobKey(source: .path(name), job: job) }

  private func submit(
    _ queue: JobQueue, _ name: String, as label: String? = nil, _ priority: MediaEngine.Priority = .interactive,
    isBounded: Bool = false
  ) -> JobQueue.Position? {
    let admission = queue.submit(
      key(name), priority: priority, isBounded: isBounded, completion: answers.add(label ?? name))
    guard case .admitted(let position, _) = admission else { return nil }
    return position
  }

  private func next(_ queue: JobQueue) -> QueuedJob? { queue.next {} }

  @Test func `Progress is reported to all waiting callers and no others`() throws {
    let queue = JobQueue(limit: 9)
    let reported = Locked<[String]>([])
    func ask(_ name: String, _ label: String) -> JobQueue.Position? {
      let admission = queue.submit(
        key(name), priority: .interactive, isBounded: false,
        progress: { step in reported.withLock { $0.append("\(label) \(step.encoding)") } },
        completion: answers.add(label))
      guard case .admitted(let position, _) = admission else { return nil }
      return position
    }
    let first = try #require(ask("a", "first"))
    _ = ask("a", "second")
    _ = ask("b", "other")
    // Somebody who wants to know nothing of it.
    _ = submit(queue, "a", as: "silent")
    queue.slotIsIdle()
    let running = try #require(next(queue))
    _ = ask("a", "late")
    queue.report(TranscodeProgress(encoding: 1, seconds: 0), of: running)
    queue.cancel(first)
    queue.report(TranscodeProgress(encoding: 2, seconds: 0), of: running)
    // The file was changed meanwhile: who came late waits for another job, and hears of that.
    queue.finish(running, done, isStale: true)
    queue.slotIsIdle()
    queue.report(TranscodeProgress(encoding: 3, seconds: 0), of: try #require(next(queue)))
    #expect(reported.withLock { $0 } == ["first 1", "second 1", "late 1", "second 2", "late 2", "late 3"])
  }

  @Test func `A job beyond the limit is refused at once as busy`() {
    let queue = JobQueue(limit: 2)
    #expect(submit(queue, "a") != nil)
    #expect(submit(queue, "b") != nil)
    #expect(submit(queue, "c") == nil)
    #expect(answers.list == ["c busy"])
    // Who bounds itself is let in.
    #expect(submit(queue, "d", isBounded: true) != nil)
    #expect(queue.waitingCount == 3)
  }

  @Test func `Jobs of callers that limit themselves take no positions from others`() {
    let queue = JobQueue(limit: 2)
    for number in 0..<8 { #expect(submit(queue, "own \(number)", isBounded: true) != nil) }
    #expect(submit(queue, "a") != nil)
    #expect(submit(queue, "b") != nil)
    #expect(submit(queue, "c") == nil)
    #expect(answers.list == ["c busy"])
  }

  @Test func `Interactive jobs run first`() throws {
    let queue = JobQueue(limit: 9)
    for name in ["scan 1", "scan 2"] { _ = submit(queue, name, .batch) }
    for name in ["person 1", "person 2"] { _ = submit(queue, name, .interactive) }
    let order = (0..<4).compactMap { _ in next(queue)?.key }
    #expect(order == ["person 1", "person 2", "scan 1", "scan 2"].map(key))
  }

  @Test func `Equal jobs run once for all callers`() throws {
    let queue = JobQueue(limit: 1)
    _ = submit(queue, "a", as: "first")
    // Joining takes no place.
    _ = submit(queue, "a", as: "second")
    let running = try #require(next(queue))
    _ = submit(queue, "a", as: "third")
    queue.finish(running, done)
    #expect(answers.list == ["first done", "second done", "third done"])
    #expect(queue.waitingCount == 0)
  }

  @Test func `Another job on the same file is not shared`() {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "a")
    var digest = ProbeOptions()
    digest.digest = true
    let other = JobKey(source: .path("a"), job: MediaJob(facts: .found(digest, claim: nil)))
    _ = queue.submit(other, priority: .interactive, isBounded: false, completion: answers.add("other"))
    #expect(queue.waitingCount == 2)
  }

  @Test func `An interactive request raises the priority of a background job`() throws {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "scan 1", .batch)
    _ = submit(queue, "scan 2", .batch)
    _ = submit(queue, "scan 2", as: "person", .interactive)
    #expect(next(queue)?.key == key("scan 2"))
  }

  @Test func `A late caller of a changed file gets its own job`() throws {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "a", as: "early")
    let running = try #require(next(queue))
    _ = submit(queue, "a", as: "late")
    queue.finish(running, done, isStale: true)
    #expect(answers.list == ["early done"])
    let again = try #require(next(queue))
    queue.finish(again, done, isStale: true)
    #expect(answers.list == ["early done", "late done"])
  }

  @Test func `Cancelling frees the position and returns once`() throws {
    let queue = JobQueue(limit: 1)
    let position = try #require(submit(queue, "a"))
    queue.cancel(position)
    queue.cancel(position)
    #expect(answers.list == ["a cancelled"])
    #expect(submit(queue, "b") != nil)
    #expect(next(queue)?.key == key("b"))
  }

  @Test func `A job continues while a caller waits`() throws {
    let queue = JobQueue(limit: 9)
    let position = try #require(submit(queue, "a", as: "first"))
    _ = submit(queue, "a", as: "second")
    let woken = Atomic<Int>(0)
    let running = try #require(queue.next { woken.add(1, ordering: .relaxed) })
    queue.cancel(position)
    #expect(woken.load(ordering: .relaxed) == 0)
    #expect(!queue.isAbandoned(running))
    queue.finish(running, done)
    #expect(answers.list == ["first cancelled", "second done"])
  }

  @Test func `The slot is notified when no caller waits`() throws {
    let queue = JobQueue(limit: 9)
    let position = try #require(submit(queue, "a"))
    let woken = Atomic<Int>(0)
    let running = try #require(queue.next { woken.add(1, ordering: .relaxed) })
    queue.cancel(position)
    #expect(woken.load(ordering: .relaxed) == 1)
    #expect(queue.isAbandoned(running))
    // A new request for the same does not join what is being given up.
    _ = submit(queue, "a", as: "again")
    #expect(queue.waitingCount == 1)
    queue.finish(running, .failure(.cancelled))
    #expect(answers.list == ["a cancelled"])
    queue.finish(try #require(next(queue)), done)
    #expect(answers.list == ["a cancelled", "again done"])
  }

  @Test func `Stopping returns to every caller`() throws {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "a")
    _ = submit(queue, "b")
    let running = try #require(next(queue))
    queue.stop()
    #expect(answers.list.sorted() == ["a cancelled", "b cancelled"])
    queue.finish(running, done)
    #expect(submit(queue, "c") == nil)
    #expect(answers.list.count == 3)
    #expect(next(queue) == nil)
  }

  @Test func `The end of an abandoned job does not hide its successor`() throws {
    let queue = JobQueue(limit: 9)
    let position = try #require(submit(queue, "a", as: "first"))
    let running = try #require(next(queue))
    queue.cancel(position)
    _ = submit(queue, "a", as: "again")
    queue.finish(running, .failure(.cancelled))
    // Still known: the same is joined and not done twice, and a shutdown answers it.
    _ = submit(queue, "a", as: "and again")
    #expect(queue.waitingCount == 1)
    queue.stop()
    #expect(answers.list == ["first cancelled", "again cancelled", "and again cancelled"])
  }

  @Test func `A caller that joined late can cancel`() throws {
    let queue = JobQueue(limit: 9)
    _ = submit(queue, "a", as: "early")
    let running = try #require(next(queue))
    let late = try #require(submit(queue, "a", as: "late"))
    #expect(queue.hasLateWaiters(running))
    queue.finish(running, done, isStale: true)
    queue.cancel(late)
    #expect(answers.list == ["early done", "late cancelled"])
    #expect(queue.waitingCount == 0)
  }

  @Test func `Joining callers are limited`() throws {
    let queue = JobQueue(limit: 1, joining: 2)
    let first = try #require(submit(queue, "a", as: "1"))
    #expect(submit(queue, "a", as: "2") != nil)
    #expect(submit(queue, "a", as: "3") != nil)
    #expect(submit(queue, "a", as: "4") == nil)
    #expect(answers.list == ["4 busy"])
    // The place of one that gives up is free again, but not that of the first, which took none.
    queue.cancel(first)
    #expect(submit(queue, "a", as: "5") == nil)
    queue.finish(try #require(next(queue)), done)
    #expect(answers.list == ["4 busy", "1 cancelled", "5 busy", "2 done", "3 done"])
    _ = submit(queue, "b", as: "6")
    #expect(submit(queue, "b", as: "7") != nil)
    #expect(submit(queue, "b", as: "8") != nil)
    #expect(submit(queue, "b", as: "9") == nil)
  }

  @Test func `A job for a free slot does not wait`() throws {
    let queue = JobQueue(limit: 0, slots: 2)
    // Neither has been started yet; there is room for what they will take.
    #expect(submit(queue, "a") != nil)
    #expect(submit(queue, "b") != nil)
    #expect(submit(queue, "c") == nil)
    let running = try #require(next(queue))
    #expect(submit(queue, "d") == nil)
    queue.finish(running, done)
    #expect(submit(queue, "e") != nil)
  }

  @Test func `A slot is requested only if none is idle`() {
    func needsSlot(_ queue: JobQueue, _ name: String) -> Bool? {
      let admission = queue.submit(key(name), priority: .batch, isBounded: false, completion: answers.add(name))
      if case .admitted(_, let needsSlot) = admission { return needsSlot }
      return nil
    }
    let queue = JobQueue(limit: 9)
    #expect(needsSlot(queue, "a") == true)
    _ = next(queue)
    queue.slotIsIdle()
    #expect(needsSlot(queue, "b") == false)
    #expect(needsSlot(queue, "c") == true)
    _ = next(queue)
    #expect(needsSlot(queue, "d") == true)
  }

  @Test func `A job that ends before it began is reported`() throws {
    let reported = Locked<[JobKey]>([])
    let queue = JobQueue(limit: 9) { job in reported.withLock { $0.append(job.key) } }
    let running = try #require(submit(queue, "a"))
    _ = next(queue)
    queue.cancel(running)
    queue.cancel(try #require(submit(queue, "b")))
    _ = submit(queue, "c")
    queue.stop()
    #expect(reported.withLock { $0 } == ["b", "c"].map(key))
  }
}
