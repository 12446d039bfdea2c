internal import MediaLibrary
internal import Synchronization
internal import Testing

@Suite("Waiting for a database that another process has locked") struct LockTimeoutTests {
  private final class Clock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Mutex(Duration.zero)
    var now: ContinuousClock.Instant { passed.withLock { start + $0 } }
    func pass(_ time: Duration) { passed.withLock { $0 += time } }
  }

  private let clock = Clock()

  private func patience(seconds: Double) -> LockTimeout {
    let clock = clock
    return LockTimeout(seconds: seconds, now: { clock.now }, pause: { clock.pass(.milliseconds(5)) })
  }

  /// How often a call tries again before it gives up.
  private func attempts(_ patience: LockTimeout) -> Int {
    var attempts = 0
    while patience.waits(after: attempts) { attempts += 1 }
    return attempts
  }

  @Test("A caller waits for its whole time")
  func aCallerWaitsItsWholeTime() { #expect(attempts(patience(seconds: 10)) == 2_000) }

  @Test("Callers behind one that gave up do not wait for the same lock again")
  func whoQueuedBehindACallerThatGaveUpDoesNotWaitAgain() {
    let patience = patience(seconds: 10)
    _ = attempts(patience)
    for _ in 0..<50 {
      clock.pass(.milliseconds(1))
      #expect(attempts(patience) == 0)
    }
  }

  @Test("Callers that did not wait do not keep later ones from waiting")
  func thoseWhoDidNotWaitDoNotKeepOthersFromWaiting() {
    let patience = patience(seconds: 10)
    _ = attempts(patience)
    clock.pass(.milliseconds(60))
    #expect(attempts(patience) == 0)
    clock.pass(.milliseconds(60))
    #expect(attempts(patience) == 2_000)
  }

  @Test("A later lock is waited for again") func aLaterLockIsWaitedForAgain() {
    let patience = patience(seconds: 10)
    _ = attempts(patience)
    clock.pass(.milliseconds(101))
    #expect(attempts(patience) == 2_000)
  }

  @Test("A wait that succeeded is not counted against the next one") func aWaitThatSucceededIsNotCountedForTheNext() {
    let patience = patience(seconds: 1)
    for attempt in 0..<150 { #expect(patience.waits(after: attempt)) }
    #expect(attempts(patience) == 200)
  }

  @Test("A call that may not wait returns at once, and later calls wait")
  func withoutWaitingNothingIsWaitedForAndOthersWaitAfterwards() {
    let patience = patience(seconds: 1)
    #expect(patience.withoutWaiting { attempts(patience) } == 0)
    #expect(attempts(patience) == 200)
  }
}
