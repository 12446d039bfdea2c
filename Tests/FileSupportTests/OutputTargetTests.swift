internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import FileSupport

@Suite("What stands in the place of an output") struct OutputTargetTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> PathBytes { PathBytes(folder.path(name)) }

  private func code(_ name: String) -> Int32? {
    do throws(FileError) {
      if let stream = try FileSystem.openStream(path(name)) { FileSystem.release(stream) }
      return nil
    } catch { return error.code }
  }

  /// Makes a socket by its name alone, because the path of a temporary folder can be too long for an address.
  private func bindSocket(_ name: String) throws {
    let made = mknod(folder.path(name), S_IFSOCK | 0o600, 0)
    try #require(made == 0)
  }

  @Test("A FIFO that somebody reads is written through, by itself and through a link") func fifo() throws {
    #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
    #expect(symlink("fifo", folder.path("link")) == 0)
    #expect(code("fifo") == ENXIO, "without a reader nothing waits")
    let reader = open(folder.path("fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    defer { close(reader) }
    for name in ["fifo", "link"] {
      let stream = try #require(try FileSystem.openStream(path(name)))
      try FileSystem.append([1, 2, 3], to: stream)
      FileSystem.release(stream)
      var bytes = [UInt8](repeating: 0, count: 8)
      #expect(read(reader, &bytes, 8) == 3)
    }
    #expect(try FileStatus(at: path("fifo")).kind == .pipe)
  }

  @Test("A regular file and a missing one are not streams; a folder, a socket and a link to a file are errors")
  func others() throws {
    try folder.write([1], to: "file")
    try folder.write([1], to: "folder/x")
    for (link, target) in [("toFile", "file"), ("toFolder", "folder"), ("toNothing", "nothing")] {
      #expect(symlink(target, folder.path(link)) == 0)
    }
    #expect(try FileSystem.openStream(path("file")) == nil)
    #expect(try FileSystem.openStream(path("nothing")) == nil)
    #expect(code("folder") == EISDIR)
    try bindSocket("socket")
    #expect(code("socket") == ENXIO)
    #expect(try FileStatus(at: path("socket")).kind == .socket)
    for link in ["toFile", "toFolder", "toNothing"] { #expect(code(link) == EEXIST, "\(link)") }
    #expect(throws: FileError.self) { try FileSystem.openStream(PathBytes("a\0b")) }
  }

  @Test("A character device is written through, a block device never") func devices() throws {
    // A null device of our own; only root may make one, and not in every container.
    guard mknod(folder.path("null"), S_IFCHR | 0o600, makeDevice(1, 3)) == 0,
      mknod(folder.path("disk"), S_IFBLK | 0o600, makeDevice(7, 200)) == 0
    else { return print("skipped, no device can be made here") }
    #expect(code("disk") == EEXIST)
    do throws(FileError) {
      let stream = try FileSystem.openStream(path("null"))
      try FileSystem.append([1], to: stream ?? -1)
      if let stream { FileSystem.release(stream) }
    } catch {
      // A temporary folder may be mounted without devices.
      #expect(error.code == EACCES || error.code == EPERM)
    }
    #expect(try FileStatus(at: path("null")).kind == .device)
  }

  @Test("A file of an open folder is written there wherever the folder is moved, and a link in it leads nowhere")
  func inFolder() throws {
    try folder.write([1], to: "out/keep")
    try folder.write([1], to: "outside/secret")
    #expect(symlink("../outside", folder.path("out/link")) == 0)
    #expect(symlink("keep", folder.path("out/file")) == 0)
    let handle = try FolderHandle.openForWriting(path("out"))
    #expect(rename(folder.path("out"), folder.path("moved")) == 0)
    try AtomicFile.write([2], named: Array("new".utf8)[...], in: handle.makeFolder(Array("sub".utf8)[...]))
    #expect(FileManager.default.contents(atPath: folder.path("moved/sub/new")) == Data([2]))
    #expect(throws: FileError.self) { try handle.makeFolder(Array("link".utf8)[...]) }
    for name in ["file", "link", "sub", "../x", ""] {
      #expect(throws: FileError.self, "\(name)") {
        try AtomicFile.write([2], named: Array(name.utf8)[...], in: handle)
      }
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    #expect(
      names == ["moved", "moved/file", "moved/keep", "moved/link", "moved/sub", "moved/sub/new"]
        + ["outside", "outside/secret"])
  }

  @Test("Folders and files are never writable by others, whatever the umask") func permissions() async throws {
    await #expect(processExitsWith: .exitCode(7)) { [root = folder.url.path as String] in
      umask(0)
      try FileSystem.makeFolder(PathBytes(root + "/a/b"), permissions: .shared)
      let handle = try FolderHandle.openForWriting(PathBytes(root + "/a"))
      try AtomicFile.write([1], named: Array("f".utf8)[...], in: handle.makeFolder(Array("c".utf8)[...]))
      let modes = ["/a", "/a/b", "/a/c", "/a/c/f"].map { name in
        var status = stat()
        stat(root + name, &status)
        return status.st_mode & 0o777
      }
      _exit(modes == [0o755, 0o755, 0o755, 0o644] ? 7 : 1)
    }
  }

  private func makeDevice(_ major: UInt64, _ minor: UInt64) -> dev_t { dev_t(major << 8 | minor & 0xFF) }
}
