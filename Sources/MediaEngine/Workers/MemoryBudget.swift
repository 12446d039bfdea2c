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

  /// Half of the memory that this process may use: of the machine, or of the control group that it is in.
  static var half: Int {
    let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return max(1, min(machine, groupLimit ?? machine) / 2)
  }

  /// The limit of the control group; nil where there is none. cgroups(7), version 2; a container sees its own group as the root.
  private static var groupLimit: Int? {
    let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
    let own = groups.split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3) ?? ""
    let limits = [String(own), ""].compactMap { path -> Int? in
      let text = try? String(contentsOfFile: "/sys/fs/cgroup\(path)/memory.max", encoding: .utf8)
      return text.flatMap { Int($0.split(separator: "\n").first ?? "") }
    }
    return limits.min()
  }
}
