internal import Foundation

/// Calls into the system that may never return: opening a file on a server that does not answer.
///
/// The thread that makes one cannot be freed; it can be given up. Who calls says until when it waits, and what happens then: somebody else
/// goes on in its place.
final class HangWatchdog: @unchecked Sendable {
  private struct Call {
    let deadline: ContinuousClock.Instant
    let givenUp: @Sendable () -> Void
  }

  private let condition = NSCondition()
  // Touched under the condition's lock alone, which is what makes the class Sendable.
  private var calls: [UInt64: Call] = [:]
  private var lastNumber: UInt64 = 0
  private var lost = 0
  private var isAsleep = false
  private var isStopped = false

  init() {
    let thread = Thread { [self] in watch() }
    thread.name = "media-watchdog"
    thread.start()
  }

  /// Threads that were given up and have not come back.
  var lostCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return lost
  }

  /// Calls `body`.
  /// - Parameter givenUp: Called on another thread when the time is over. The calling thread owns nothing any more then.
  /// - Returns: What `body` returned; nil, long after, when it was given up.
  func run<Value: ~Copyable, Failure: Error>(
    within time: Duration, _ body: () throws(Failure) -> Value, givenUp: @escaping @Sendable () -> Void
  ) throws(Failure) -> Value? {
    let number = begin(Call(deadline: .now.advanced(by: time), givenUp: givenUp))
    do throws(Failure) {
      let value = try body()
      if end(number) { return .some(value) }
      return nil
    } catch {
      if end(number) { throw error }
      return nil
    }
  }

  /// No more calls are watched.
  func stop() {
    condition.lock()
    isStopped = true
    condition.signal()
    condition.unlock()
  }

  private func begin(_ call: Call) -> UInt64 {
    condition.lock()
    defer { condition.unlock() }
    lastNumber += 1
    calls[lastNumber] = call
    // Not with each call: as long as there is work the watch looks by itself.
    if isAsleep { condition.signal() }
    return lastNumber
  }

  /// Whether it was not given up.
  private func end(_ number: UInt64) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if calls.removeValue(forKey: number) != nil { return true }
    lost -= 1
    return false
  }

  private func watch() {
    condition.lock()
    while !isStopped {
      if calls.isEmpty {
        isAsleep = true
        condition.wait()
        isAsleep = false
      }
      if !isStopped { _ = condition.wait(until: Date(timeIntervalSinceNow: Self.glance)) }
      let now = ContinuousClock.now
      let over = calls.filter { $0.value.deadline <= now }
      for number in over.keys { calls[number] = nil }
      lost += over.count
      condition.unlock()
      for call in over.values { call.givenUp() }
      condition.lock()
    }
    condition.unlock()
  }

  /// Seconds between two looks.
  private static let glance = 0.25
}
