internal import Foundation

/// Watches system calls that may never return, such as opening a file on an unresponsive server.
///
/// A thread in such a call cannot be freed, only replaced. The caller sets a time limit, and a closure that lets another thread take over when it
/// expires.
final class HangWatchdog: @unchecked Sendable {
  private struct Call {
    let deadline: ContinuousClock.Instant
    let isUnwanted: @Sendable () -> Bool
    let givenUp: @Sendable () -> Void
  }

  private let condition = NSCondition()
  // Touched under the condition's lock only, which is what makes the class Sendable.
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

  /// Number of replaced threads that are still blocked.
  var lostCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return lost
  }

  /// Calls `body` with a time limit.
  /// - Parameter givenUp: Called on another thread when the limit expires. The calling thread owns nothing from then on.
  /// - Returns: What `body` returned; nil, possibly much later, if the limit has expired.
  func run<Value: ~Copyable, Failure: Error>(
    within time: Duration, _ body: () throws(Failure) -> Value, givenUp: @escaping @Sendable () -> Void
  ) throws(Failure) -> Value? {
    try run(within: time, isUnwanted: { false }, body, givenUp: givenUp)
  }

  /// Calls `body` with a time limit, which ends early when nobody waits for the value any more.
  /// - Parameter isUnwanted: Whether that is so. Asked several times a second, on another thread with a lock held.
  func run<Value: ~Copyable, Failure: Error>(
    within time: Duration, isUnwanted: @escaping @Sendable () -> Bool, _ body: () throws(Failure) -> Value,
    givenUp: @escaping @Sendable () -> Void
  ) throws(Failure) -> Value? {
    let number = begin(Call(deadline: .now.advanced(by: time), isUnwanted: isUnwanted, givenUp: givenUp))
    do throws(Failure) {
      let value = try body()
      if end(number) { return .some(value) }
      return nil
    } catch {
      if end(number) { throw error }
      return nil
    }
  }

  /// Ends watching.
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
    // Signalled only if the watch sleeps: while there are calls, it checks them at intervals.
    if isAsleep { condition.signal() }
    return lastNumber
  }

  /// Whether the time limit had not expired.
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
      let over = calls.filter { $0.value.deadline <= now || $0.value.isUnwanted() }
      for number in over.keys { calls[number] = nil }
      lost += over.count
      condition.unlock()
      for call in over.values { call.givenUp() }
      condition.lock()
    }
    condition.unlock()
  }

  /// Seconds between two checks.
  private static let glance = 0.25
}
