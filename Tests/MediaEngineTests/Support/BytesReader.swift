internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaModel

/// A file that is fetched: from memory, in ranges of at least 64 KiB.
final class BytesReader: MediaSource.RangeReader {
  private let bytes: [UInt8]
  private let failure: MediaFailure?
  private let gate: DispatchSemaphore?
  private let state = Locked<(held: [Range<Int>], reads: Int, wholes: Int)>(([], 0, 0))

  /// - Parameters:
  ///   - failure: Why its ranges cannot be read.
  ///   - gate: Waited for before each range.
  init(_ bytes: [UInt8], failure: MediaFailure? = nil, gate: DispatchSemaphore? = nil) {
    (self.bytes, self.failure, self.gate) = (bytes, failure, gate)
  }

  /// How many ranges were fetched.
  var reads: Int { state.withLock { $0.reads } }
  /// How often the whole file was fetched.
  var wholes: Int { state.withLock { $0.wholes } }

  var seconds: Double { 100 }

  func size(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> Int { bytes.count }

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
