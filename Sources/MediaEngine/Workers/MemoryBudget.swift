internal import Foundation

/// What the jobs of all workers may take of memory together, beyond what idle workers have.
///
/// One limit for each worker is not enough: a machine with 64 cores has 64 workers.
final class MemoryBudget: Sendable {
  private let limit: Int
  /// Bytes by process, of those at work.
  private let taken = Locked<[pid_t: Int]>([:])

  /// - Parameter limit: Bytes.
  init(limit: Int) { self.limit = limit }

  /// Notes what a worker takes now.
  /// - Returns: Whether it has to end: all of them together take more than the budget, and no other takes more than this one.
  func note(_ bytes: Int, of worker: pid_t) -> Bool {
    taken.withLock { taken in
      taken[worker] = bytes
      var sum = 0
      for bytes in taken.values {
        let (next, overflow) = sum.addingReportingOverflow(bytes)
        sum = overflow ? .max : next
      }
      return sum > limit && taken.values.allSatisfy { $0 <= bytes }
    }
  }

  /// Its job is over.
  func remove(_ worker: pid_t) { taken.withLock { $0[worker] = nil } }

  /// Half of the memory that this process may use: of the machine, or of the control groups that it is in.
  static var half: Int { half(of: Int(clamping: ProcessInfo.processInfo.physicalMemory), groups: .own) }

  static func half(of machine: Int, groups: ControlGroupMemory) -> Int {
    max(1, min(machine, groups.limit ?? machine) / 2)
  }
}
