internal import Foundation
internal import Glibc

/// What this process holds, for tests that nothing is left behind.
enum Processes {
  /// Its children, dead ones that nobody has collected included.
  static var children: [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.flatMap { task -> [pid_t] in
      let text = (try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Those of them that were started with that argument: tests run side by side, and each looks after its own.
  static func children(with argument: String) -> [pid_t] {
    children.filter { process in
      let line = (try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/cmdline")).readToEnd()) ?? nil
      return line?.split(separator: 0).contains { $0.elementsEqual(argument.utf8) } ?? false
    }
  }

  /// Kills a child and waits until it is dead, its descriptors closed. Collecting it stays with whoever started it.
  static func killAndAwait(_ process: pid_t) {
    kill(process, SIGKILL)
    var information = siginfo_t()
    // Of one that was collected already there is nothing to wait for.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Its resident bytes.
  static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(CInt(_SC_PAGESIZE))
  }
}
