internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Scans that read unchanged files again", .timeLimit(.minutes(20))) struct RecheckTests {
  private func put(_ text: String, to path: String, keepingTimesOf status: FileStatus) throws {
    let file = try #require(fopen(path, "r+"))
    fputs(text, file)
    fclose(file)
    let (seconds, nanoseconds) = (status.modified / 1_000_000_000, status.modified % 1_000_000_000)
    var times = [timespec(tv_sec: seconds, tv_nsec: nanoseconds), timespec(tv_sec: seconds, tv_nsec: nanoseconds)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }

  @Test("A change that left size and time as they were is found by a recheck, and by nothing else") func edited()
    async throws
  {
    var tree = try ScannedTree()
    tree.options.digest = true
    for name in ["a", "b", "c"] { try tree.write("text \(name)", to: "\(name)/1") }
    try await tree.run()
    let id = try #require(try tree.library.catalogue.file(at: tree.path("b/1"))).id
    try tree.library.catalogue.setText(of: id, title: nil, caption: "kept")
    let status = try FileStatus(at: tree.path("b/1"))
    try put("text B", to: tree.path("b/1").description, keepingTimesOf: status)
    #expect(try FileStatus(at: tree.path("b/1")).modified == status.modified)

    try await tree.run()
    #expect(tree.files.isEmpty)
    #expect(try tree.kept() != tree.present())
    tree.options.rechecks = true
    try await tree.run()
    #expect(tree.files.map(tree.name) == ["b/1"])
    #expect(tree.files.map(\.state) == [.changed])
    #expect(try tree.kept() == tree.present())
    #expect(try tree.library.catalogue.file(id)?.caption == "kept")
    #expect(tree.totals?.states[.unchanged]?.files == 2)
    try await tree.run()
    #expect(tree.files.isEmpty)
    #expect(tree.totals?.states[.unchanged]?.files == 3)
  }

  @Test("A recheck completes a file that has no digest yet") func completed() async throws {
    var tree = try ScannedTree()
    try tree.write("text", to: "1")
    try await tree.run()
    (tree.options.digest, tree.options.rechecks) = (true, true)
    try await tree.run()
    #expect(tree.files.map(\.state) == [.completed])
    #expect(try tree.library.catalogue.file(at: tree.path("1"))?.digest != nil)
  }

  @Test("R-MYM-20: a file that is renamed to another extension is compared with it, without being decoded for more")
  func renamed() async throws {
    var tree = try ScannedTree()
    try tree.write("mismatch for jpg", to: "1.png")
    try await tree.run()
    let id = try #require(try tree.library.catalogue.file(at: tree.path("1.png"))).id
    #expect(try tree.library.catalogue.file(id)?.info()?.mismatch == nil)
    try FileManager.default.moveItem(atPath: tree.path("1.png").description, toPath: tree.path("1.jpg").description)
    try await tree.run()
    #expect(tree.files.map(\.state) == [.moved])
    #expect(try tree.library.catalogue.file(id)?.info()?.mismatch?.declared == "jpg")
    try FileManager.default.moveItem(atPath: tree.path("1.jpg").description, toPath: tree.path("1.png").description)
    try await tree.run()
    #expect(tree.files.map(\.state) == [.moved])
    #expect(try tree.library.catalogue.file(id)?.info()?.mismatch == nil)
    try await tree.run()
    #expect(tree.files.isEmpty)
  }
}
