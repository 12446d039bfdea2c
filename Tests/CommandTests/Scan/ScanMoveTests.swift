internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Files recognised by their content") struct ScanMoveTests {
  let world: ScanWorld
  init() throws { world = try ScanWorld() }

  /// What a move to another disk is: a copy with another number and another time, and the original gone.
  private func moveToAnotherDisk(_ from: String, _ to: String) throws {
    try copy(from, to)
    #expect(unlink("\(world.tree.text)/\(from)") == 0)
  }

  private func copy(_ from: String, _ to: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(world.tree.text)/\(from)"))
    let path = "\(world.tree.text)/\(to)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  private func file(_ name: String) throws -> CatalogueFile {
    try #require(try world.open().catalogue.file(at: world.tree.appending(name.utf8)))
  }

  @Test(
    "A file moved to another disk keeps its row, whichever folder is scanned first, and is not decoded",
    arguments: [["--digest"], ["--digest", "--renditions", "grid"]], ["b/1.jpg", "z/1.jpg"])
  func moved(options: [String], target: String) throws {
    try world.write("m/1.jpg", 1, isImage: true)
    try world.scan(options.map { PathBytes($0) })
    let before = try file("m/1.jpg")
    try moveToAnotherDisk("m/1.jpg", target)
    let output = try world.scan(options.map { PathBytes($0) })
    #expect(try world.states(output)[target] == "moved")
    let record = try output.records.first { ($0["path"] as? String)?.hasSuffix(target) == true }
    #expect((record?["from"] as? String)?.hasSuffix("m/1.jpg") == true)
    let after = try file(target)
    #expect(after.id == before.id)
    #expect(after.state == .done)
    #expect(after.stamp == FileStamp(at: world.tree.appending(target.utf8)))
    #expect(try world.kept() == world.present())
    #expect(try Set(world.states(world.scan(options.map { PathBytes($0) })).values) == ["unchanged"])
  }

  @Test("Of two copies of a vanished file, one is the file and the other a copy")
  func movedTwice() throws {
    try world.write("m.jpg", 1, isImage: true)
    try world.scan(["--digest"])
    let before = try file("m.jpg")
    try copy("m.jpg", "a.jpg")
    try moveToAnotherDisk("m.jpg", "z.jpg")
    #expect(try world.states(world.scan(["--digest"])) == ["a.jpg": "moved", "z.jpg": "linked"])
    #expect(try file("a.jpg").id == before.id)
    #expect(try world.kept() == world.present())
  }

  @Test("If more is requested than was made, the file keeps its row and is examined")
  func movedWithMore() throws {
    try world.write("m.jpg", 1, isImage: true)
    try world.scan(["--digest"])
    let before = try file("m.jpg")
    try moveToAnotherDisk("m.jpg", "z.jpg")
    let output = try world.scan(["--digest", "--renditions", "grid"])
    #expect(try world.states(output)["z.jpg"] == "moved")
    let after = try file("z.jpg")
    #expect(after.id == before.id)
    #expect(try world.open().catalogue.renditions(of: after.id).count == 1)
  }

  @Test("A file that was only touched is not another name of itself")
  func touched() throws {
    let path = try world.write("m.jpg", 1, isImage: true)
    try world.scan(["--digest"])
    let before = try file("m.jpg")
    #expect(utimes(path, [timeval(tv_sec: 5_000, tv_usec: 0), timeval(tv_sec: 5_000, tv_usec: 0)]) == 0)
    let output = try world.scan(["--digest"])
    #expect(try world.states(output) == ["m.jpg": "changed"])
    #expect(try output.records.first?["from"] == nil)
    #expect(try file("m.jpg").id == before.id)
  }
}
