internal import Foundation
internal import Glibc

/// Reads a pipe to its end on a thread of its own.
final class Drain: @unchecked Sendable {
  private let condition = NSCondition()
  // Both are touched under the condition's lock alone, which is what makes the class Sendable.
  private var bytes: [UInt8] = []
  private var hasEnded = false

  init(_ descriptor: CInt) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        change { bytes += buffer[..<count] }
      }
      close(descriptor)
      change { hasEnded = true }
    }
  }

  private func change(_ body: () -> Void) {
    condition.withLock {
      body()
      condition.broadcast()
    }
  }

  /// The number of bytes up to now.
  var count: Int { condition.withLock { bytes.count } }

  /// Everything up to the end; waits for it.
  var text: String {
    condition.withLock {
      while !hasEnded { condition.wait() }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Waits until the bytes meet a condition, and checks it after each piece that arrives.
  /// - Returns: False at the end of the pipe, or after so many seconds.
  func wait(_ seconds: Double, until isDone: ([UInt8]) -> Bool) -> Bool {
    let end = Date.now.addingTimeInterval(seconds)
    return condition.withLock {
      while !isDone(bytes) {
        guard !hasEnded, condition.wait(until: end) else { return isDone(bytes) }
      }
      return true
    }
  }
}
