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

  /// Those of them that run a program of that name.
  static func children(named name: String) -> [pid_t] {
    children.filter { process in
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
      // A dead one has no program any more: it counts, for it should have been collected.
      return program.map { $0.hasSuffix("/" + name) } ?? true
    }
  }

  /// Its open descriptors.
  static var descriptors: Int {
    (0..<4_096).count { fcntl(CInt($0), F_GETFD) >= 0 }
  }

  /// Its resident bytes.
  static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(CInt(_SC_PAGESIZE))
  }
}
