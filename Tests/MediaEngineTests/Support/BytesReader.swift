internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaModel

/// A file that is fetched: from memory, in ranges of at least 64 KiB.
final class BytesReader: MediaSource.RangeReader {
  private let bytes: [UInt8]
  private let failure: MediaFailure?
  private let gate: DispatchSemaphore?
  private let opening: DispatchSemaphore?
  private let state = Locked<(held: [Range<Int>], reads: Int, wholes: Int)>(([], 0, 0))
  let maxBytes: Int
  private let calls = Locked<(sizes: Int, cancels: Int, releases: Int)>((0, 0, 0))

  /// - Parameters:
  ///   - failure: Why its ranges cannot be read.
  ///   - gate: Waited for before each range.
  ///   - maxBytes: The largest file that is taken whole.
  ///   - opening: Waited for before the size, whatever is cancelled.
  init(
    _ bytes: [UInt8], failure: MediaFailure? = nil, gate: DispatchSemaphore? = nil, maxBytes: Int = .max,
    opening: DispatchSemaphore? = nil
  ) {
    self.maxBytes = maxBytes
    (self.bytes, self.failure, self.gate, self.opening) = (bytes, failure, gate, opening)
  }

  /// How often its size was asked for.
  var sizes: Int { calls.withLock { $0.sizes } }
  /// How often it was cancelled.
  var cancels: Int { calls.withLock { $0.cancels } }
  /// How often it was released.
  var releases: Int { calls.withLock { $0.releases } }

  func cancel() { calls.withLock { $0.cancels += 1 } }

  func release() { calls.withLock { $0.releases += 1 } }

  /// How many ranges were fetched.
  var reads: Int { state.withLock { $0.reads } }
  /// How often the whole file was fetched.
  var wholes: Int { state.withLock { $0.wholes } }

  var seconds: Double { 100 }

  func size(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> Int {
    calls.withLock { $0.sizes += 1 }
    opening?.wait()
    return bytes.count
  }

  func held(_ range: Range<Int>) -> [UInt8]? {
    let isHeld = state.withLock {
      $0.held.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }
    return isHeld ? Array(bytes[range]) : nil
  }

  func read(_ range: Range<Int>, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> [UInt8] {
    gate?.wait()
    if let failure { throw failure }
    state.withLock {
      $0.held.append(range.lowerBound..<min(bytes.count, max(range.upperBound, range.lowerBound + 65_536)))
      $0.reads += 1
    }
    return Array(bytes[range])
  }

  func whole(limit: Int, until deadline: ContinuousClock.Instant) throws(MediaFailure) -> MemoryFile {
    state.withLock { $0.wholes += 1 }
    var memory = try MemoryFile(limit: limit)
    try memory.append(bytes)
    return memory
  }
}
