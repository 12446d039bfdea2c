internal import MediaEngine
internal import MediaModel

/// Asks now and then whether the engine's workers come up, and remembers the answer: a load balancer asks often, and each job costs a worker.
final class WorkerProbe: Sendable {
  /// Seconds for which an answer is remembered.
  static let seconds = 10

  private struct Answer: Sendable {
    let areUp: Bool
    let time: Int
  }

  private let job: @Sendable () async throws -> Void
  private let clock: @Sendable () -> Int
  private let last = Locked<Answer?>(nil)
  private let asking = SingleFlight<Int, Bool>()

  /// - Parameter job: A job for any worker.
  init(clock: @escaping @Sendable () -> Int, job: @escaping @Sendable () async throws -> Void) {
    (self.clock, self.job) = (clock, job)
  }

  /// Whether a worker has done a job, or all have so much to do that they cannot.
  var areUp: Bool {
    get async {
      let now = clock()
      // Also asked again when the clock was set back.
      if let last = last.withLock({ $0 }), (0..<Self.seconds).contains(now - last.time) { return last.areUp }
      let areUp = (try? await asking.run(0) { [job] in await Self.isDone(job) }) ?? false
      last.withLock { $0 = Answer(areUp: areUp, time: now) }
      return areUp
    }
  }

  private static func isDone(_ job: @Sendable () async throws -> Void) async -> Bool {
    do { try await job() } catch let failure as MediaFailure { return failure.code == .busy } catch { return false }
    return true
  }
}
