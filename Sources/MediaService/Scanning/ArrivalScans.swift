internal import MalwareScanning
internal import MediaLibrary
internal import Synchronization

/// Scans of uploads that are running or ended lately, by content. A client that was asked to come back finds the scan that its first request began: without that, each
/// attempt would begin another one, and a file that takes longer than a request waits would never be stored under the policy `refuse`.
final class ArrivalScans: Sendable {
  /// Seconds for which a result is known. Longer than a client waits that was asked to come back after a minute, shorter than signatures stay the same.
  static let lifetime = 600
  /// Results that are known; further ones replace all of them.
  private static let maxResults = 1_024

  /// One attempt to upload a content.
  private final class Attempt: Sendable {}

  /// The result of a scan, and the attempt whose file was scanned.
  private struct Outcome: Sendable {
    let scan: MalwareScan
    let attempt: Attempt
  }

  private let running = SingleFlight<ContentDigest, Outcome>()
  private let results = Mutex<[ContentDigest: (scan: MalwareScan, time: Int)]>([:])
  private let clock: @Sendable () -> Int

  init(clock: @escaping @Sendable () -> Int) { self.clock = clock }

  /// The result of the scan of a content, which is begun unless it is running or ended lately. It continues when the caller leaves. One that
  /// joined a scan which failed begins one of its own.
  func scan(
    _ content: ContentDigest, _ scan: @escaping @Sendable () async -> MalwareScan
  ) async throws -> MalwareScan {
    let now = clock()
    let known = results.withLock { results in
      results[content].flatMap { $0.time <= now && now - $0.time < Self.lifetime ? $0.scan : nil }
    }
    if let known { return known }
    let attempt = Attempt()
    let first = try await join(content, attempt, scan)
    // The file of the attempt that began the scan may be gone since: its own is there.
    guard first.attempt !== attempt, first.scan.state == .unscannable(.scannerError), !first.scan.isAway else {
      return first.scan
    }
    try Task.checkCancellation()
    return try await join(content, attempt, scan).scan
  }

  private func join(
    _ content: ContentDigest, _ attempt: Attempt, _ scan: @escaping @Sendable () async -> MalwareScan
  ) async throws -> Outcome {
    try await running.run(content) { [self] in
      let result = await scan()
      // Another attempt may succeed where the scanner failed, and its limits may be set meanwhile.
      if case .unscannable = result.state { return Outcome(scan: result, attempt: attempt) }
      results.withLock { results in
        if results.count >= Self.maxResults { results = [:] }
        results[content] = (result, clock())
      }
      return Outcome(scan: result, attempt: attempt)
    }
  }

  /// Number of uploads that wait for the scan of a content.
  func callers(of content: ContentDigest) -> Int { running.callers(of: content) }
}
