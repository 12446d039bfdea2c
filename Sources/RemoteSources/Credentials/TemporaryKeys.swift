internal import Foundation
internal import MediaModel

/// Keys that end, asked for by one thread at a time: a service that answers a whole machine must not be asked by each of its requests.
///
/// New keys are asked for five minutes before the old ones end. Meanwhile the other threads use the old ones, and wait only without any.
final class TemporaryKeys: @unchecked Sendable {
  private let condition = NSCondition()
  // Touched under the condition's lock only, which is what makes the class Sendable.
  private var known: S3Credentials?
  private var isAsking = false
  /// Number of answers so far.
  private var round = 0
  /// Why the last answer has no keys.
  private var failure: MediaFailure?
  /// The keys that S3 has refused last: if the service answers with them again, no others are asked for.
  private var refused: S3Credentials?
  /// Not to be asked for earlier: the last attempt to replace keys that are still valid has failed.
  private var rest = Date.distantPast

  /// The keys. Blocking.
  /// - Parameter ask: Asks for new ones.
  func keys(
    until deadline: ContinuousClock.Instant, ask: () throws(MediaFailure) -> S3Credentials
  ) throws(MediaFailure) -> S3Credentials {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let left = known.map { $0.expires?.timeIntervalSinceNow ?? .infinity } ?? 0
      if let known, left > Self.early || (left > Self.late && (isAsking || rest > Date())) { return known }
      if !isAsking { break }
      let awaited = round
      while isAsking, round == awaited {
        let seconds = ContinuousClock.now.duration(to: deadline) / .seconds(1)
        guard condition.wait(until: Date(timeIntervalSinceNow: max(0, seconds))) else {
          throw .noS3Keys(detail: "the credentials service does not answer in time")
        }
      }
      if let failure { throw failure }
    }
    isAsking = true
    condition.unlock()
    let answer: Result<S3Credentials, MediaFailure>
    do throws(MediaFailure) { answer = .success(try ask()) } catch { answer = .failure(error) }
    condition.lock()
    (isAsking, round) = (false, round + 1)
    condition.broadcast()
    switch answer {
    case .success(let keys):
      (known, failure) = (keys, nil)
      return keys
    case .failure(let reason):
      // Valid for a while: the service may answer again until they end.
      if let known, known.expires?.timeIntervalSinceNow ?? .infinity > Self.late {
        rest = Date(timeIntervalSinceNow: Self.pause)
        return known
      }
      failure = reason
      throw reason
    }
  }

  /// Stops using keys that S3 has refused, so that new ones are asked for.
  /// - Returns: False if the service has answered with the same keys again.
  func drop(_ keys: S3Credentials) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard known == keys else { return true }
    guard refused != keys else { return false }
    (refused, known) = (keys, nil)
    return true
  }

  /// Seconds before their end from which on new keys are asked for.
  private static let early = 300.0
  /// Seconds before their end from which on keys are not used any more.
  private static let late = 30.0
  /// Seconds between two attempts to replace keys that are still valid.
  private static let pause = 30.0
}
