internal import Foundation

/// The memory limit of the control groups that a process is in: its own and every one above it, because each of them holds (cgroups(7)).
///
/// Version 2 has the files under `/sys/fs/cgroup` (`unified` beside version 1), version 1 under `/sys/fs/cgroup/memory`. A container sees its
/// own group as the root, while `/proc/self/cgroup` may have the path that the host uses; the root is therefore read in any case.
struct ControlGroupMemory: Sendable {
  /// The content of a file; nil if it cannot be read.
  let read: @Sendable (String) -> String?

  /// The limits of this process.
  static let own = ControlGroupMemory { try? String(contentsOfFile: $0, encoding: .utf8) }

  /// Bytes; nil without a limit.
  var limit: Int? {
    var limits: [Int] = []
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      guard let group = Self.group(line) else { continue }
      let roots = group.isVersion2 ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] : ["/sys/fs/cgroup/memory"]
      let file = group.isVersion2 ? "memory.max" : "memory.limit_in_bytes"
      for root in roots {
        for folder in Self.folders(group.path) {
          if let limit = limit("\(root)\(folder)/\(file)") { limits.append(limit) }
        }
      }
    }
    return limits.min()
  }

  /// A line of `/proc/self/cgroup`, `number:controllers:path`; nil if the group has nothing to do with memory.
  private static func group(_ line: Substring) -> (path: Substring, isVersion2: Bool)? {
    let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3 else { return nil }
    if fields[1].isEmpty { return (fields[2], true) }
    return fields[1].split(separator: ",").contains("memory") ? (fields[2], false) : nil
  }

  /// The path of a group and of all above it, the root last as an empty path. A group outside of a namespace's root has `..` in its path.
  private static func folders(_ path: Substring) -> [String] {
    let names = path.split(separator: "/")
    guard !names.contains("..") else { return [""] }
    return (0...names.count).reversed().map { names.prefix($0).map { "/\($0)" }.joined() }
  }

  /// The number in a file; nil for `max`. Version 1 writes a number near 2⁶³ instead, which is above any memory.
  private func limit(_ file: String) -> Int? {
    read(file)?.split(separator: "\n").first.flatMap { Int($0) }
  }
}
