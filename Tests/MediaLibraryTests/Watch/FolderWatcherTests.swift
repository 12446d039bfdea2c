internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A watcher of folders") struct FolderWatcherTests {
  let folder: TemporaryFolder
  let watcher: FolderWatcher

  init() throws {
    folder = try TemporaryFolder()
    watcher = try FolderWatcher()
    try watch("")
  }

  private func watch(_ name: String) throws {
    let path = name.isEmpty ? folder.url.path : folder.path(name)
    watcher.add(Array(path.utf8), try FolderHandle.open(Array(path.utf8)))
  }

  private func path(_ name: String) -> PathBytes { PathBytes(folder.path(name)) }

  /// What happened up to now: the kernel has noted an event before the call that made it returns.
  private func changes() -> FolderWatcher.Changes { watcher.changes(within: 0, stop: -1) }

  @Test("A file that is written to is reported as closed only when its writer closes it")
  func aFileThatIsWrittenToIsNotClosedUntilItIs() throws {
    let descriptor = open(folder.path("a"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    var changes = changes()
    #expect(changes.written == [path("a")])
    #expect(changes.closed.isEmpty)
    #expect(changes.folders == [PathBytes(folder.url.path)])
    close(descriptor)
    changes = self.changes()
    #expect(changes.closed == [path("a")])
    #expect(changes.written.isEmpty)
    // Read only: nothing to do.
    close(open(folder.path("a"), O_RDONLY | O_CLOEXEC))
    #expect(self.changes().isEmpty)
  }

  @Test("A new folder is a tree to read, and a moved one is watched where it went")
  func aNewFolderIsATreeAndAMovedOneIsWatchedWhereItWent() throws {
    #expect(mkdir(folder.path("a"), 0o755) == 0)
    #expect(changes().trees == [path("a")])
    try watch("a")
    #expect(rename(folder.path("a"), folder.path("b")) == 0)
    #expect(changes().trees == [path("b")])
    try watch("b")
    try folder.write([1], to: "b/1")
    #expect(changes().folders == [path("b")])
    #expect(watcher.watchedFolders == 2)
    #expect(rmdir(folder.path("b")) != 0)
    try FileManager.default.removeItem(atPath: folder.path("b"))
    #expect(changes().folders.contains(PathBytes(folder.url.path)))
    _ = changes()
    #expect(watcher.watchedFolders == 1)
  }

  /// More events than the kernel keeps for anybody.
  @Test("More events than the kernel keeps are an overflow") func moreEventsThanTheKernelKeepsAreAnOverflow() throws {
    let text = (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)) ?? ""
    let kept = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    guard kept > 0, kept <= 100_000 else {
      print("skipped: the kernel keeps \(kept) events")
      return
    }
    // Two names by turns: events that are alike and follow one another are one.
    let names = [folder.path("a"), folder.path("b")]
    for number in 0...kept {
      let descriptor = open(names[number % 2], O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      close(descriptor)
    }
    #expect(changes().isOverflow)
    #expect(changes().isEmpty)
  }

  @Test("A file or folder whose permissions changed is reported, because it may be readable now")
  func whatMayBeReadFromNowOnIsSeen() throws {
    try folder.write([1], to: "a")
    #expect(mkdir(folder.path("b"), 0o755) == 0)
    _ = changes()
    #expect(chmod(folder.path("a"), 0o600) == 0)
    #expect(changes().folders == [PathBytes(folder.url.path)])
    #expect(chmod(folder.path("b"), 0o700) == 0)
    #expect(changes().trees == [path("b")])
  }
}
