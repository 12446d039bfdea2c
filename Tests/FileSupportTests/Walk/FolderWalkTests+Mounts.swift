internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import FileSupport

extension FolderWalkTests {
  /// A folder mounted into itself would be walked for ever.
  @Test("A folder that is mounted into itself is entered once") func mountLoop() async throws {
    try folder.write([], to: "a/b/1")
    try folder.write([], to: "2")
    let status = try await #require(
      processExitsWith: .exitCode(Self.right), observing: [\.standardOutputContent]
    ) { [here = folder.url.path as String] in
      Self.mountOrLeave(here, on: here + "/a/b", type: nil, flags: 4_096)
      let reported = WalkRecord(FolderWalk(root: Array(here.utf8)))
      let isRight =
        words(reported.files) == [here + "/2"] && words(reported.problems.map(\.path)) == [here + "/a/b"]
        && reported.problems.map(\.failure.code) == [.unreadable]
      exit(isRight ? Self.right : 1)
    }
    Self.printIfSkipped(status.standardOutputContent)
  }

  @Test("Other file systems are skipped only on request") func otherFileSystem() async throws {
    try folder.write([], to: "a/1")
    try folder.write([], to: "m/hidden-below")
    let status = try await #require(
      processExitsWith: .exitCode(Self.right), observing: [\.standardOutputContent]
    ) { [here = folder.url.path as String] in
      Self.mountOrLeave("none", on: here + "/m", type: "tmpfs", flags: 0)
      close(open(here + "/m/1", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
      let one = WalkRecord(FolderWalk(root: Array(here.utf8), staysOnFileSystem: true))
      let both = WalkRecord(FolderWalk(root: Array(here.utf8)))
      let isRight =
        words(one.files) == [here + "/a/1"] && one.skipped.otherFileSystems == 1
        && words(both.files) == [here + "/a/1", here + "/m/1"]
      exit(isRight ? Self.right : 1)
    }
    Self.printIfSkipped(status.standardOutputContent)
  }

  private static let right: CInt = 7

  private static let skipped = "mount: "

  /// Mounts something for this process alone; one that may not ends as if all were right, and says so.
  private static func mountOrLeave(_ what: String, on location: String, type: String?, flags: UInt) {
    // `unshare` is hidden from Swift's Glibc module. CLONE_NEWNS of sched.h; MS_REC and MS_PRIVATE of sys/mount.h.
    typealias Unshare = @convention(c) (CInt) -> CInt
    guard let address = dlsym(nil, "unshare"), unsafeBitCast(address, to: Unshare.self)(0x2_0000) == 0,
      mount("none", "/", nil, 0x4000 | 0x4_0000, nil) == 0,
      mount(what, location, type, flags, nil) == 0
    else {
      print(skipped + String(cString: strerror(errno)))
      fflush(nil)
      exit(right)
    }
  }

  private static func printIfSkipped(_ output: [UInt8]) {
    let text = String(decoding: output, as: UTF8.self)
    if text.contains(skipped) { print("skipped, this process may not mount: \(text)") }
  }
}
