internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("The state of a file") struct FileStatusTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> PathBytes { PathBytes(folder.path(name)) }

  @Test("A file has the same status at every path, and another after a write") func status() throws {
    try folder.write([1, 2], to: "a")
    #expect(link(folder.path("a"), folder.path("b")) == 0)
    #expect(symlink("a", folder.path("c")) == 0)
    let before = try FileStatus(at: path("a"))
    #expect(before.kind == .file)
    #expect(before.bytes == 2)
    #expect(try FileStatus(at: path("b")) == before)
    #expect(try FileStatus(at: path("c")) == before)
    #expect(try FileStatus(at: path("c"), followsLinks: false).kind == .link)
    try folder.write([1, 2, 3], to: "a")
    #expect(try FileStatus(at: path("b")) != before)
  }

  @Test("Pipes, folders and devices are reported as such") func kinds() throws {
    #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
    #expect(try FileStatus(at: path("fifo")).kind == .pipe)
    #expect(try FileStatus(at: PathBytes(folder.url.path)).kind == .folder)
    #expect(try FileStatus(at: PathBytes("/dev/null")).kind == .device)
  }

  @Test("A missing file is an error with the number and the description of the system") func missing() throws {
    try folder.write([], to: "a")
    for name in ["none", "a/below"] {
      let error = #expect(throws: FileError.self) { try FileStatus(at: path(name)) }
      #expect(error?.isNotFound == true)
    }
    #expect(FileError(code: ENOENT).description == "No such file or directory")
    #expect(FileError(code: ENOSPC).isDiskFull)
  }

  @Test("A folder has the same identity at every path; a file has no folder identity") func folderIdentity() throws {
    try folder.write([], to: "a/b")
    let identity = FileIdentity(ofFolder: path("a"))
    #expect(identity != nil)
    #expect(FileIdentity(ofFolder: path("a/../a/")) == identity)
    #expect(FileIdentity(ofFolder: path("a/b")) == nil)
    #expect(FileIdentity(ofFolder: path("none")) == nil)
  }

  @Test(
    "Each errno of open() has one failure code",
    arguments: [
      (ENOENT, "notFound"), (ENOTDIR, "notFound"), (EACCES, "accessDenied"), (EPERM, "accessDenied"),
      (EIO, "unreadable"), (ELOOP, "unreadable"),
    ])
  func openingErrors(code: CInt, failure: String) {
    #expect(MediaFailure.opening(FileError(code: code)).code.rawValue == failure)
  }

  @Test("ELOOP means notFound if symbolic links are not followed") func linkNotFollowed() {
    #expect(MediaFailure.opening(FileError(code: ELOOP), followsLinks: false).code == .notFound)
    #expect(MediaFailure.readingFolder(FileError(code: ELOOP)).code == .notFound)
  }
}
