internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import FileSupport

@Suite("A file that is written in one step") struct AtomicFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> PathBytes { PathBytes(folder.path(name)) }
  private func content(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder.path(name)).map { [UInt8]($0) }
  }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test("A write replaces the old file and leaves no temporary file") func replacement() throws {
    try AtomicFile.write([1], to: path("a"))
    let before = open(folder.path("a"), O_RDONLY | O_CLOEXEC)
    defer { close(before) }
    try AtomicFile.write([2, 3], to: path("a"))
    #expect(content("a") == [2, 3])
    // Who has it open still has the old file whole.
    var byte: UInt8 = 0
    #expect(read(before, &byte, 1) == 1)
    #expect(byte == 1)
    #expect(try names == ["a"])
  }

  @Test("A new file replaces nothing, also where the name is taken while it is written") func newFile() throws {
    let open = try FolderHandle.openForWriting(PathBytes(folder.url.path))
    try AtomicFile.writeNew([1], named: Array("a".utf8)[...], in: open)
    #expect(throws: FileError(code: EEXIST)) { try AtomicFile.writeNew([2], named: Array("a".utf8)[...], in: open) }
    let file = try AtomicFile(named: Array("b".utf8)[...], in: open)
    try file.append([3])
    try folder.write([4], to: "b")
    let name = file.path
    var isInTheWay = false
    do throws(FileError) { try file.commit(to: name, replaces: false) } catch { isInTheWay = error.isInTheWay }
    #expect(isInTheWay)
    #expect(content("a") == [1])
    #expect(content("b") == [4])
    #expect(try names == ["a", "b"])
  }

  @Test("Without a commit the old file is unchanged, and no temporary file is left") func noCommit() throws {
    try folder.write([1], to: "a")
    do {
      let file = try AtomicFile(at: path("a"))
      try file.append([2])
      #expect(try names.count == 2)
      #expect(content("a") == [1])
    }
    #expect(try names == ["a"])
    #expect(content("a") == [1])
  }

  @Test("A failed write leaves the old file unchanged") func failedWrite() async throws {
    try folder.write([1], to: "a")
    await #expect(processExitsWith: .exitCode(7)) { [path = folder.path("a") as String] in
      // As on a full disk, but of this process alone: no file can become larger than that.
      signal(SIGXFSZ, SIG_IGN)
      var limits = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { return }
      do throws(FileError) {
        try AtomicFile.write([UInt8](repeating: 2, count: 5_000), to: PathBytes(path))
      } catch {
        _exit(error.code == EFBIG ? 7 : 1)
      }
    }
    #expect(content("a") == [1])
    #expect(try names == ["a"])
  }

  @Test("A killed process leaves the complete old or the complete new file", arguments: 0..<20 as Range<UInt64>)
  func killed(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let microseconds = UInt32(random.below(20_000))
    await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
      [path = folder.url.path as String, microseconds = microseconds as UInt32] in
      try KilledWriter.run(killedAfter: microseconds, in: path) { number in
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 50_000 + number % 100)
        try AtomicFile.write(bytes, to: PathBytes(path + "/a"))
      }
    }
    let acknowledged = KilledWriter.acknowledged(in: folder.url.path)
    let found = content("a")
    let isWhole = [acknowledged, acknowledged + 1].contains { number in
      number == 0
        ? found == nil
        : found == [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 50_000 + number % 100)
    }
    #expect(isWhole, "seed \(seed): \(acknowledged) was written last")
    // What is left beside has a name that says so.
    #expect(try names.filter { $0 != "a" && $0 != "acknowledged" }.allSatisfy { AtomicFile.isTemporary($0.utf8) })
  }

  @Test("Symbolic links, pipes, folders and devices are neither replaced nor written to") func notRegular() throws {
    try folder.write([1], to: "target")
    try folder.write([1], to: "folder/x")
    #expect(symlink("target", folder.path("link")) == 0)
    #expect(symlink("nothing", folder.path("dangling")) == 0)
    #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
    let before = try names
    for name in ["link", "dangling", "fifo", "folder"] {
      let kind = try FileStatus(at: path(name), followsLinks: false).kind
      let error = #expect(throws: FileError.self, "\(name)") { try AtomicFile.write([2], to: path(name)) }
      #expect(error?.isInTheWay == true, "\(name)")
      #expect(try FileStatus(at: path(name), followsLinks: false).kind == kind)
    }
    #expect(content("target") == [1])
    #expect(try names == before)
    let error = #expect(throws: FileError.self) { try AtomicFile.write([2], to: PathBytes("/dev/null")) }
    #expect(error?.isInTheWay == true)
    #expect(try FileStatus(at: PathBytes("/dev/null")).kind == .device)
  }

  @Test("A symbolic link that appears before the commit is not replaced") func linkBeforeCommit() throws {
    let file = try AtomicFile(at: path("a"))
    #expect(symlink("nothing", folder.path("a")) == 0)
    do throws(FileError) {
      try file.commit()
      Issue.record("replaced")
    } catch {
      #expect(error.isInTheWay)
    }
    #expect(try names == ["a"])
    #expect(try FileStatus(at: path("a"), followsLinks: false).kind == .link)
  }

  @Test("A path with a NUL byte or without a name is refused") func invalidPath() throws {
    for path in [path("a").appending([0x62, 0, 0x63]), PathBytes(folder.url.path + "/"), PathBytes("")] {
      #expect(throws: FileError.self) { try AtomicFile.write([1], to: path) }
    }
    #expect(try names.isEmpty)
  }

  @Test(
    "Permissions follow the umask, without write access for group and others",
    arguments: [(0o000, 0o644), (0o002, 0o644), (0o022, 0o644), (0o027, 0o640), (0o077, 0o600)] as [(mode_t, mode_t)])
  func permissions(mask: mode_t, expected: mode_t) async throws {
    // The umask is the process's, so in one of its own.
    await #expect(processExitsWith: .exitCode(7)) {
      [path = folder.url.path as String, mask = mask as mode_t, expected = expected as mode_t] in
      umask(mask)
      try AtomicFile.write([1], to: PathBytes(path + "/shared"))
      try AtomicFile.write([1], to: PathBytes(path + "/own"), permissions: .userOnly)
      var (shared, own) = (stat(), stat())
      stat(path + "/shared", &shared)
      stat(path + "/own", &own)
      _exit(shared.st_mode & 0o7777 == expected && own.st_mode & 0o7777 == 0o600 ? 7 : 1)
    }
  }

  @Test("A missing folder is an error") func missingFolder() {
    let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: path("none/a")) }
    #expect(error?.isNotFound == true)
  }

  @Test("Folders are created with their parents; an existing folder is not an error") func makeFolder() throws {
    for _ in 0..<2 { try FileSystem.makeFolder(path("a/b/c/"), permissions: .userOnly) }
    #expect(try FileStatus(at: path("a/b/c")).kind == .folder)
    try folder.write([], to: "file")
    let error = #expect(throws: FileError.self) {
      try FileSystem.makeFolder(path("file/below/it"), permissions: .userOnly)
    }
    #expect(error?.code == ENOTDIR)
  }
}
