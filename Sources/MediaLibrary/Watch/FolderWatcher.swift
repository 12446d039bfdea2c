#if os(Linux)
package import FileSupport
internal import Foundation
internal import Glibc

/// Says in which folders something changed, by the kernel's inotify(7).
///
/// Folders are added one by one, before their names are read, so that nothing is missed between. What changed is not remembered, only where: whoever
/// asks scans those folders as on any other day. So an event more or less, or one that came twice, does no harm, and when the kernel has more events
/// than it keeps, all is scanned once more.
package final class FolderWatcher: @unchecked Sendable {
  /// What happened since the last time.
  package struct Changes: Sendable {
    /// Folders in which names came, went, or were written to.
    package var folders: Set<PathBytes> = []
    /// Folders that are new with all that lies in them.
    package var trees: Set<PathBytes> = []
    /// Files that somebody began to write to, or went on.
    package var written: Set<PathBytes> = []
    /// Files that a writer has closed, or that were moved to their place whole.
    package var closed: Set<PathBytes> = []
    /// Whether more happened than the kernel kept.
    package var isOverflow = false

    package init() {}

    /// Adds what happened later.
    package mutating func formUnion(_ later: Changes) {
      folders.formUnion(later.folders)
      trees.formUnion(later.trees)
      written.formUnion(later.written)
      closed.formUnion(later.closed)
      isOverflow = isOverflow || later.isOverflow
    }

    /// Whether nothing happened.
    package var isEmpty: Bool {
      folders.isEmpty && trees.isEmpty && written.isEmpty && closed.isEmpty && !isOverflow
    }
  }

  /// Why watching is not possible.
  package struct Failure: Error, Sendable {
    /// One sentence, with what to do about it where that is known.
    package let message: String
  }

  private let descriptor: CInt
  private let lock = NSLock()
  // All three touched under the lock alone, which is what makes the class Sendable.
  private var paths: [CInt: PathBytes] = [:]
  private var numbers: [PathBytes: CInt] = [:]
  private var unwatched = 0

  /// - Throws: Where the user has as many watchers as the system allows.
  package init() throws(Failure) {
    descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    guard descriptor >= 0 else {
      let hint = errno == EMFILE ? "; raise the limit with: sysctl fs.inotify.max_user_instances=1024" : ""
      throw Failure(message: "cannot watch folders: \(String(cString: strerror(errno)))\(hint)")
    }
  }

  deinit { close(descriptor) }

  /// Folders that could not be watched, for there are more than the system allows a user.
  package var unwatchedFolders: Int { lock.withLock { unwatched } }

  /// Folders that are watched.
  package var watchedFolders: Int { lock.withLock { paths.count } }

  /// Watches a folder, by whatever path it was watched before.
  package func add(_ path: [UInt8], _ folder: FolderHandle) {
    // By its descriptor: the path may lead elsewhere by now, or be too long.
    let number = inotify_add_watch(descriptor, "/proc/self/fd/\(folder.descriptor)", Self.events)
    let path = PathBytes(path)
    lock.withLock {
      guard number >= 0 else {
        // Anything else is a folder that has gone, and is told by whoever reads it.
        if errno == ENOSPC { unwatched += 1 }
        return
      }
      if let old = paths[number], old != path { numbers[old] = nil }
      paths[number] = path
      numbers[path] = number
    }
  }

  /// What happened, after waiting for it at most so long. Blocking.
  /// - Parameters:
  ///   - milliseconds: How long to wait; nil for ever.
  ///   - stop: A descriptor that can be read when nobody wants to wait any more.
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
    // The folder itself has gone or moved: whoever holds it tells.
    if name.isEmpty { return }
    let path = folder.appending(name)
    changes.folders.insert(folder)
    if mask & Int(IN_ISDIR) != 0 {
      if mask & Int(IN_MOVED_FROM) != 0 { eraseAll(below: path) }
      // Of one that may be read from now on nothing was seen before.
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

  /// A folder was moved: its events would be told of paths where nothing is. Where it went, it is added again.
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

  /// The words of inotify(7); what it was opened for and what was read does not matter. But who may read it does, and its times.
  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_ONLYDIR)

  /// How many folders the system lets this user watch; nil where it does not say.
  package static var limit: Int? {
    guard let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/max_user_watches", encoding: .utf8) else {
      return nil
    }
    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
#endif
