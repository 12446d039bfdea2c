internal import FileSupport
internal import Foundation
internal import MediaModel

/// Takes the body of one response. The threads of the network write, and the thread that waits for them reads; a response that comes after the wait is
/// over is dropped.
final class BodySink: @unchecked Sendable {
  private let lock = NSLock()
  // Touched under the lock only, which is what makes the class Sendable.
  private var head: ResponseHead?
  private var plan: RangePlan?
  private var bytes: [UInt8] = []
  private var memory: MemoryFile?
  private var received = 0
  private var isClosed = false
  private let limit: Int

  /// Takes a range.
  /// - Parameter limit: Maximum number of bytes.
  init(limit: Int) { self.limit = limit }

  /// Takes a whole file.
  init(memory: consuming MemoryFile) {
    self.memory = consume memory
    limit = .max
  }

  /// Takes the head; false if no body is wanted.
  func take(head: ResponseHead, plan: (ResponseHead) throws(MediaFailure) -> RangePlan?) throws(MediaFailure) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { return false }
    self.head = head
    self.plan = try plan(head)
    return self.plan?.count != 0
  }

  /// Takes a part of the body; false if that is enough.
  func take(_ part: [UInt8]) throws(MediaFailure) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { return false }
    received += part.count
    guard let plan else {
      // The explanation of an error.
      bytes += part.prefix(Self.longestError - bytes.count)
      return bytes.count < Self.longestError
    }
    let left = plan.count.map { $0 - (received - part.count) } ?? .max
    let wanted = left < part.count ? Array(part.prefix(left)) : part
    if memory != nil {
      try memory?.append(wanted)
    } else {
      guard wanted.count <= limit - bytes.count else {
        throw MediaFailure(
          .tooLarge, "Reading the metadata of this file exceeds the limit of \(HumanNumbers.limit(limit)).")
      }
      bytes += wanted
    }
    // One part too many is waited for: then the connection can be used again if there is none.
    return part.count <= left
  }

  /// What has been received.
  struct Received {
    var head: ResponseHead?
    var plan: RangePlan?
    var bytes: [UInt8]
    /// Bytes that came over the network, without the head.
    var count: Int
    /// Bytes of the file that were kept.
    var taken: Int
  }

  /// Ends receiving.
  func close() -> Received {
    lock.lock()
    defer { lock.unlock() }
    isClosed = true
    let taken = memory?.count ?? bytes.count
    return Received(head: head, plan: plan, bytes: bytes, count: received, taken: taken)
  }

  /// The whole file, after ``close()``.
  func takeMemory() -> MemoryFile? {
    lock.lock()
    defer { lock.unlock() }
    return memory.take()
  }

  private static let longestError = 65_536
}
