internal import Foundation
internal import Glibc

extension Command {
  /// Waits until the command and its workers stand still because a pipe is full: its input takes no more, and no thread of them can run.
  /// - Returns: False if all of its input was taken, or if it never stands still.
  func waitUntilAtRest() -> Bool {
    let end = Deadlines.after(Self.patience)
    while !Deadlines.hasPassed(end) {
      // A thread that sleeps in both, and has not run between them, slept at every moment between them. If that holds for all threads, none is
      // left to wake another.
      let first = threads
      if isInputFull, first.values.allSatisfy(\.isAsleep), !first.isEmpty, threads == first, isInputFull { return true }
      sched_yield()
    }
    return false
  }

  private struct ThreadState: Equatable {
    var isAsleep: Bool
    /// The number of times that the kernel has taken the thread off a processor.
    var switches: [Substring]
  }

  /// The threads of the command and of its children, by their numbers.
  private var threads: [String: ThreadState] {
    var states: [String: ThreadState] = [:]
    for process in [String(process)] + children {
      let folder = "/proc/\(process)/task"
      for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        let lines = Self.text("\(folder)/\(thread)/status").split(separator: "\n")
        states[thread] = ThreadState(
          isAsleep: lines.contains { $0.hasPrefix("State:\tS") },
          switches: lines.filter { $0.contains("ctxt_switches") })
      }
    }
    return states
  }

  private var children: [String] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.flatMap { Self.text("\(folder)/\($0)/children").split(separator: " ").map(String.init) }
  }

  /// Files in /proc state a size of 0.
  private static func text(_ path: String) -> String {
    let data = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd()
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
