internal import Foundation
internal import Glibc

/// Counts the workers of a running command and reads their memory from /proc. The system reports that of a process only to the one that has reaped
/// it, and there as a part of other figures.
struct WorkerWatch {
  /// What is read of each worker.
  enum Memory {
    /// The most that was resident at once in the worker that had the most (`VmHWM`).
    case largest
    /// What all of them hold together while nothing is done, with shared pages divided among their users (`Pss`). Only root may read it.
    case idle
  }

  let memory: Memory
  private var seen: Set<pid_t> = []
  private var most = 0
  /// The sums of a look, by the number of workers.
  private var sums: [Int: [Double]] = [:]

  init(_ memory: Memory) { self.memory = memory }

  /// The number of workers that were started.
  var count: Int { seen.count }

  /// Bytes.
  var bytes: Int {
    switch memory {
    case .largest: most
    case .idle: Int(median(sums.max { $0.key < $1.key }?.value ?? []))
    }
  }

  /// Looks at the workers of a process and of the processes that it has started.
  mutating func look(at process: pid_t) {
    let workers = Self.descendants(of: process).filter { Self.text("\($0)/comm").hasPrefix("mediatool-worke") }
    seen.formUnion(workers)
    switch memory {
    case .largest:
      for worker in workers { most = max(most, Self.kibibytes("VmHWM", in: "\(worker)/status") * 1_024) }
    case .idle:
      let held = workers.map { Self.kibibytes("Pss", in: "\($0)/smaps_rollup") * 1_024 }.filter { $0 > 0 }
      if !held.isEmpty { sums[held.count, default: []].append(Double(held.reduce(0, +))) }
    }
  }

  private static func descendants(of process: pid_t) -> [pid_t] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    let children = threads.flatMap { thread in
      text("\(process)/task/\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
    }
    return children + children.flatMap(descendants)
  }

  /// The number of a line such as `VmHWM:  1234 kB`; 0 if there is none.
  private static func kibibytes(_ name: String, in file: String) -> Int {
    let line = text(file).split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// A file below /proc; empty if the process has ended.
  private static func text(_ file: String) -> String {
    let descriptor = open("/proc/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
