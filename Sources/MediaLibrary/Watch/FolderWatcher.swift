#if os(Linux)
package import FileSupport
internal import Foundation
internal import Glibc

/// Reports the folders in which something changed, by inotify(7).
///
/// Folders are added one by one, before their names are read, so that no change is missed. Only the folder of a change is recorded; the caller scans
/// it as usual. So superfluous and repeated events do no harm, and when the kernel's queue overflows, everything is scanned again.
package final class FolderWatcher: @unchecked Sendable {
  /// The changes since the last call.
  package struct Changes: Sendable {
    /// Folders in which names were added, removed or written.
    package var folders: Set<PathBytes> = []
    /// New folders, to be scanned with everything inside.
    package var trees: Set<PathBytes> = []
    /// Files that are being written.
    package var written: Set<PathBytes> = []
    /// Files that a writer has closed, or that were moved to their path.
    package var closed: Set<PathBytes> = []
    /// Whether the kernel's queue has overflowed.
    package var isOverflow = false

    package init() {}

    /// Adds later changes.
    package mutating func formUnion(_ later: Changes) {
      folders.formUnion(later.folders)
      trees.formUnion(later.trees)
      written.formUnion(later.written)
      closed.formUnion(later.closed)
      isOverflow = isOverflow || later.isOverflow
    }

    /// Whether there are no changes.
    package var isEmpty: Bool {
      folders.isEmpty && trees.isEmpty && written.isEmpty && closed.isEmpty && !isOverflow
    }
  }

  /// The reason why folders cannot be watched.
  package struct Failure: Error, Sendable {
    /// One sentence, with a remedy if one is known.
    package let message: String
  }

  private let descriptor: CInt
  private let lock = NSLock()
  // All three touched under the lock only, which is what makes the class Sendable.
  private var paths: [CInt: PathBytes] = [:]
  private var numbers: [PathBytes: CInt] = [:]
  private var unwatched = 0

  /// - Throws: If the user has as many watchers as the system allows.
  package init() throws(Failure) {
    descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    guard descriptor >= 0 else {
      let hint = errno == EMFILE ? "; to raise the limit, run: sudo sysctl fs.inotify.max_user_instances=1024" : ""
      throw Failure(message: "cannot watch folders: \(String(cString: strerror(errno)))\(hint)")
    }
  }

  deinit { close(descriptor) }

  /// Number of folders above the system's limit per user.
  package var unwatchedFolders: Int { lock.withLock { unwatched } }

  /// Number of watched folders.
  package var watchedFolders: Int { lock.withLock { paths.count } }

  /// Watches a folder, and replaces a previous path of it.
  package func add(_ path: [UInt8], _ folder: FolderHandle) {
    // By its descriptor: the path may lead elsewhere by now, or be too long.
    let number = inotify_add_watch(descriptor, "/proc/self/fd/\(folder.descriptor)", Self.events)
    let path = PathBytes(path)
    lock.withLock {
      guard number >= 0 else {
        // Any other error means a folder that has vanished; its reader reports it.
        if errno == ENOSPC { unwatched += 1 }
        return
      }
      if let old = paths[number], old != path { numbers[old] = nil }
      paths[number] = path
      numbers[path] = number
    }
  }

  /// Waits for changes and returns them. Blocking.
  /// - Parameters:
  ///   - milliseconds: Maximum time to wait; nil for no limit.
  ///   - stop: A descriptor that becomes readable to end the wait.
  package func changes(within milliseconds: Int?, stop: CInt) -> Changes {
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    var changes = Changes()
    guard poll(&waiting, 2, milliseconds.map { CInt(clamping: $0) } ?? -1) > 0 else { return changes }
    let size = 1 << 16
    withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, size)
        guard count > 0 else { return }
        take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &changes)
      }
    }
    return changes
  }

  private func take(_ events: UnsafeRawBufferPointer, into changes: inout Changes) {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(events.count, offset + header + Int(event.len))
      let name = events[(offset + header)..<end].prefix { $0 != 0 }
      offset = max(end, offset + header)
      take(event.wd, Int(event.mask), Array(name), into: &changes)
    }
  }

  private func take(_ number: CInt, _ mask: Int, _ name: [UInt8], into changes: inout Changes) {
    if mask & Int(IN_Q_OVERFLOW) != 0 {
      changes.isOverflow = true
      return
    }
    guard let folder = lock.withLock({ paths[number] }) else { return }
    if mask & Int(IN_IGNORED) != 0 {
      erase(number)
      return
    }
    // The folder itself was removed or moved; the watch of the folder above reports that.
    if name.isEmpty { return }
    let path = folder.appending(name)
    changes.folders.insert(folder)
    if mask & Int(IN_ISDIR) != 0 {
      if mask & Int(IN_MOVED_FROM) != 0 { eraseAll(below: path) }
      // A folder that becomes readable has not been scanned before.
      if mask & Int(IN_CREATE | IN_MOVED_TO | IN_ATTRIB) != 0 { changes.trees.insert(path) }
    } else if mask & Int(IN_CLOSE_WRITE | IN_MOVED_TO) != 0 {
      changes.closed.insert(path)
      changes.written.remove(path)
    } else if mask & Int(IN_MODIFY | IN_CREATE) != 0 {
      changes.written.insert(path)
      changes.closed.remove(path)
    }
  }

  private func erase(_ number: CInt) {
    lock.withLock {
      guard let path = paths.removeValue(forKey: number) else { return }
      if numbers[path] == number { numbers[path] = nil }
    }
  }

  /// A folder was moved: its events would have stale paths. It is added again at its new path.
  private func eraseAll(below folder: PathBytes) {
    let gone = lock.withLock {
      let gone = paths.filter { $0.value.isInside(folder) }
      for (number, path) in gone {
        paths[number] = nil
        if numbers[path] == number { numbers[path] = nil }
      }
      return gone
    }
    for number in gone.keys { inotify_rm_watch(descriptor, number) }
  }

  /// Events of inotify(7). Opening and reading do not matter; permissions and times do (`IN_ATTRIB`).
  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_ONLYDIR)

  /// Maximum number of folders that this user may watch; nil if it cannot be read.
  package static var limit: Int? {
    guard let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/max_user_watches", encoding: .utf8) else {
      return nil
    }
    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
#endif
