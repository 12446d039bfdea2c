internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool scan --digest --recheck") struct RecheckVerbTests {
  let world: ScanWorld
  init() throws { world = try ScanWorld() }

  /// Writes other content of the same size over a file, and puts its time back.
  private func edit(_ name: String, _ number: Int) throws {
    let path = "\(world.tree.text)/\(name)"
    var status = stat()
    #expect(stat(path, &status) == 0)
    let file = try #require(fopen(path, "r+"))
    fputs("text number \(number)\n", file)
    fclose(file)
    let times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  private func digests() throws -> [String: String] {
    let files = try world.open().catalogue.files(under: world.tree, after: nil, limit: 100).files
    return Dictionary(
      uniqueKeysWithValues: files.map { file in
        (String(decoding: file.stamp.path.lastComponent, as: UTF8.self), file.digest.map { "\($0)" } ?? "none")
      })
  }

  @Test func `An edit that puts size and time back is found, and no other file is changed`() throws {
    for number in 1...4 { try world.write("\(number)", number) }
    try world.scan(["--digest"])
    let before = try digests()
    #expect(before.count == 4)
    let present = world.present()
    try edit("2", 7)
    // Neither inode, size nor time show the edit.
    #expect(world.present() == present)
    #expect(try Set(world.states(world.scan(["--digest"])).values) == ["unchanged"])
    #expect(try digests() == before)

    let rechecked = try world.scan(["--digest", "--recheck"])
    #expect(rechecked.status == 0, "\(rechecked.errors)")
    let states = try world.states(rechecked)
    #expect(states == ["1": "unchanged", "2": "changed", "3": "unchanged", "4": "unchanged"])
    let after = try digests()
    #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["2"])
    #expect(try Set(world.states(world.scan(["--digest", "--recheck"])).values) == ["unchanged"])
  }

  @Test func `A recheck without --digest is a usage error`() throws {
    try world.write("1", 1)
    let output = try world.scan(["--recheck"])
    #expect(output.status == 64)
    #expect(output.errors.contains("--recheck needs --digest"))
  }
}
