internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// Answers the ranges of a file that a worker asks for during one job.
///
/// What the reader holds is answered at once. Everything else is fetched on another thread, so that the worker's memory and threads are still watched,
/// and the job can still be cancelled. The time of fetching does not count as the worker's. Used by the thread of one slot.
final class RangeExchange {
  /// The outcome of a request.
  enum Step {
    case answer(Frame)
    /// Nothing yet: the thread of the slot is woken when there is an answer. Not to be waited for beyond this time.
    case fetching(until: ContinuousClock.Instant)
  }

  private let source: SharedReader
  private let size: Int
  private let wake: @Sendable () -> Void
  private var left: Duration
  private var asked = 0
  private var pending: (fetched: Locked<Result<[UInt8], MediaFailure>?>, began: ContinuousClock.Instant)?
  /// Why a range could not be fetched; the job fails with it, whatever its worker makes of the missing bytes.
  private(set) var failure: MediaFailure?

  /// - Parameter wake: Wakes the slot, from any thread.
  init(_ source: SharedReader, size: Int, wake: @escaping @Sendable () -> Void) {
    self.source = source
    self.size = size
    self.wake = wake
    left = .milliseconds(Int64(1_000 * source.seconds))
  }

  /// Takes a request.
  func take(_ frame: Frame) throws(ProtocolViolation) -> Step {
    guard pending == nil else {
      throw ProtocolViolation("the worker asked for a range before the previous one was answered")
    }
    asked += 1
    guard asked <= Self.maxAsked else { throw ProtocolViolation("more than \(Self.maxAsked) requests for ranges") }
    let range = try RangeMessages.range(of: frame, size: size)
    if failure != nil { return .answer(try Self.piece(nil, frame)) }
    if let bytes = source.reader.held(range) { return .answer(try Self.piece(bytes, frame)) }
    let deadline = ContinuousClock.now.advanced(by: left)
    let fetched = Locked<Result<[UInt8], MediaFailure>?>(nil)
    pending = (fetched, .now)
    Thread.detachNewThread { [source, wake] in
      do throws(MediaFailure) {
        let bytes = try source.reader.read(range, until: deadline)
        fetched.withLock { $0 = .success(bytes) }
      } catch {
        fetched.withLock { $0 = .failure(error) }
      }
      wake()
    }
    // A reader keeps to its deadline, so this is for one that does not.
    return .fetching(until: deadline.advanced(by: .seconds(1)))
  }

  /// The answer to the request under way and how long it took; nil if there is none yet.
  func answer(job: UInt64) throws(ProtocolViolation) -> (frame: Frame, waited: Duration)? {
    guard let pending, let result = pending.fetched.withLock({ $0 }) else { return nil }
    let waited = pending.began.duration(to: .now)
    self.pending = nil
    left = max(.zero, left - waited)
    guard let frame = RangeMessages.piece(try? result.get(), job: job) else {
      throw ProtocolViolation("answer of more than \(RangeMessages.maxCount) bytes")
    }
    if case .failure(let reason) = result { failure = reason }
    return (frame, waited)
  }

  private static func piece(_ bytes: [UInt8]?, _ frame: Frame) throws(ProtocolViolation) -> Frame {
    guard let piece = RangeMessages.piece(bytes, job: frame.header.job) else {
      throw ProtocolViolation("answer of more than \(RangeMessages.maxCount) bytes")
    }
    return piece
  }

  /// Several times what the longest file of small steps needs.
  static let maxAsked = 65_536
}
