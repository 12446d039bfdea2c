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

  /// Time on a processor that a process has had in user mode; 0 for one that is no more.
  static func seconds(of process: pid_t) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // Behind the name, which is in brackets: proc(5) counts it as the 14th field.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.dropFirst(11).first.flatMap { Double($0) } ?? 0
    return ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
  }

  /// Its resident bytes.
  static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(CInt(_SC_PAGESIZE))
  }
}
