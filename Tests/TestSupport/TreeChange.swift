internal import Foundation
internal import Glibc

/// One random change to a tree, as people and programs make them.
public enum TreeChange {
  /// Makes the change.
  /// - Parameters:
  ///   - tree: The folder.
  ///   - step: A number for what is written; no two steps write the same.
  public static func make(in tree: String, _ step: Int, _ random: inout SeededGenerator) {
    let manager = FileManager.default
    // In an order of its own, for that of a folder is nobody's.
    let all = (manager.subpaths(atPath: tree) ?? []).sorted()
    let some = all.isEmpty ? "none" : all[random.below(all.count)]
    let other = all.isEmpty ? "none" : all[random.below(all.count)]
    let path = "\(tree)/\(some)"
    let new = "\(tree)/\(random.below(4))/\(random.below(30))"
    switch random.below(10) {
    case 0, 1, 2:
      try? manager.createDirectory(atPath: "\(tree)/\(random.below(4))", withIntermediateDirectories: true)
      try? Data("text \(step)\n".utf8).write(to: URL(fileURLWithPath: new))
    case 3:
      // Over what is there, by a new file that takes its place.
      try? Data("atomic \(step)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    case 4: rename(path, new)
    case 5: rename(path, "\(tree)/\(other)")
    case 6: if isFile(path) { unlink(path) }
    case 7:
      switch random.below(4) {
      case 0: try? manager.removeItem(atPath: path)
      case 1: append(to: path, step)
      default: overwrite(path, step)
      }
    case 8: link(path, new)
    default:
      try? manager.createDirectory(atPath: "\(tree)/\(random.below(4))/d\(step)", withIntermediateDirectories: true)
      try? Data("deep \(step)\n".utf8).write(to: URL(fileURLWithPath: "\(tree)/\(random.below(4))/d\(step)/f"))
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// In place, so that neither its number nor its size changes.
  private static func overwrite(_ path: String, _ step: Int) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let byte = UInt8(truncatingIfNeeded: 0x41 + step % 26)
    let bytes = [byte, byte, byte]
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  private static func append(to path: String, _ step: Int) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let bytes = Array("more \(step)\n".utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}
