internal import MalwareScanning
internal import MediaLibrary
internal import Synchronization

/// Scans of uploads that are running or ended lately, by owner and content: the time of an upload would show that another owner has the file
/// (docs/decisions/0146). A client that was asked to come back finds the scan that its first request began: without that, each
/// attempt would begin another one, and a file that takes longer than a request waits would never be stored under the policy `refuse`.
final class ArrivalScans: Sendable {
  /// Seconds for which a result is known. Longer than a client waits that was asked to come back after a minute, shorter than signatures stay the same.
  static let lifetime = 600
  /// Results that are known; further ones replace all of them.
  private static let maxResults = 1_024

  /// What is scanned once.
  private struct Key: Hashable {
    let owner: String
    let content: ContentDigest
  }

  /// One attempt to upload a content.
  private final class Attempt: Sendable {}

  /// The result of a scan, and the attempt whose file was scanned.
  private struct Outcome: Sendable {
    let scan: MalwareScan
    let attempt: Attempt
  }

  private let running = SingleFlight<Key, Outcome>()
  private let results = Mutex<[Key: (scan: MalwareScan, time: Int)]>([:])
  private let clock: @Sendable () -> Int

  init(clock: @escaping @Sendable () -> Int) { self.clock = clock }

  /// The result of the scan of an owner's content, which is begun unless it is running or ended lately. It continues when the caller leaves. One that
  /// joined a scan which failed begins one of its own.
  func scan(
    _ content: ContentDigest, of owner: String, _ scan: @escaping @Sendable () async -> MalwareScan
  ) async throws -> MalwareScan {
    let (key, now) = (Key(owner: owner, content: content), clock())
    let known = results.withLock { results in
      results[key].flatMap { $0.time <= now && now - $0.time < Self.lifetime ? $0.scan : nil }
    }
    if let known { return known }
    let attempt = Attempt()
    let first = try await join(key, attempt, scan)
    // The file of the attempt that began the scan may be gone since: its own is there.
    guard first.attempt !== attempt, first.scan.state == .unscannable(.scannerError), !first.scan.isAway else {
      return first.scan
    }
    try Task.checkCancellation()
    return try await join(key, attempt, scan).scan
  }

  private func join(
    _ key: Key, _ attempt: Attempt, _ scan: @escaping @Sendable () async -> MalwareScan
  ) async throws -> Outcome {
    try await running.run(key) { [self] in
      let result = await scan()
      // Another attempt may succeed where the scanner failed, and its limits may be set meanwhile.
      if case .unscannable = result.state { return Outcome(scan: result, attempt: attempt) }
      results.withLock { results in
        if results.count >= Self.maxResults { results = [:] }
        results[key] = (result, clock())
      }
      return Outcome(scan: result, attempt: attempt)
    }
  }

  /// Number of uploads of an owner that wait for the scan of a content.
  func callers(of content: ContentDigest, of owner: String) -> Int {
    running.callers(of: Key(owner: owner, content: content))
  }
}
