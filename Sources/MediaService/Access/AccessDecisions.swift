internal import Synchronization

/// Answers of an ``AccessPolicy``: equal questions are asked once at a time, and answers are remembered for a short time. Fails closed.
final class AccessDecisions: Sendable {
  /// Seconds for which a yes is remembered: what the application takes back is readable for that long.
  private static let yesSeconds = 60
  /// Seconds for which a no is remembered.
  private static let noSeconds = 5
  /// Answers that are remembered; beyond, all are asked again.
  private static let maxAnswers = 10_000

  private struct Answer {
    let isAllowed: Bool
    let time: Int

    /// Whether it counts at a time. One from the future does not: the clock was set back since.
    func holds(at now: Int) -> Bool {
      (0..<(isAllowed ? yesSeconds : noSeconds)).contains(now - time)
    }
  }

  private let policy: any AccessPolicy
  private let patience: Duration
  private let clock: @Sendable () -> Int
  private let asking = SingleFlight<MediaService.AccessQuestion, Bool>()
  private let answers = Mutex<[MediaService.AccessQuestion: Answer]>([:])

  init(_ policy: any AccessPolicy, seconds: Double, clock: @escaping @Sendable () -> Int) {
    (self.policy, patience, self.clock) = (policy, .seconds(seconds), clock)
  }

  /// The answer to a question.
  /// - Throws: ``ServiceError/Code/busy`` if the application does not answer: an outage is not a verdict.
  func allows(_ question: MediaService.AccessQuestion) async throws -> Bool {
    if let answer = answers.withLock({ $0[question] }), answer.holds(at: clock()) { return answer.isAllowed }
    return try await asking.run(question) { [self] in
      do {
        let isAllowed = try await Deadline.within(patience) { [policy] in try await policy.allows(question) }
        remember(isAllowed, question)
        return isAllowed
      } catch {
        throw ServiceError(
          .busy, "The application did not decide in time; try again later.", detail: "access: \(error)", retryAfter: 1)
      }
    }
  }

  private func remember(_ isAllowed: Bool, _ question: MediaService.AccessQuestion) {
    let time = clock()
    answers.withLock { answers in
      if answers.count >= Self.maxAnswers { answers.removeAll(keepingCapacity: true) }
      answers[question] = Answer(isAllowed: isAllowed, time: time)
    }
  }
}
