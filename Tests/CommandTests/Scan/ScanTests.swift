internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Scanning folders into a library") struct ScanTests {
  let world: ScanWorld
  init() throws { world = try ScanWorld() }

  @Test("R-TRAY-2: the first scan stores every file, and later ones examine none")
  func firstAndNext() throws {
    for number in 0..<20 { try world.write("a/\(number).txt", number) }
    try world.write("b/photo.jpg", 1, isImage: true)
    let first = try world.scan()
    #expect(first.status == 0, "\(first.errors)")
    #expect(try Set(world.states(first).values) == ["new"])
    #expect(try world.kept() == world.present())
    let photo = try #require(try first.records.first { ($0["path"] as? String)?.hasSuffix("photo.jpg") == true })
    #expect(photo["type"] as? String == "image/jpeg")

    let second = try world.scan()
    #expect(try Set(world.states(second).values) == ["unchanged"])
    #expect(try second.records.count == 21)
    // Nothing to decode: workers are not even started.
    let table = try Command.run(world.arguments(["--table"]))
    #expect(table.status == 0)
    #expect(table.output.contains("21 files"))
    #expect(table.output.contains("unchanged 21"))
  }

  @Test func `Only changed files are decoded again`() throws {
    for name in ["a/1", "a/2", "b/1", "c/1"] { try world.write(name, 1) }
    try world.scan()
    try world.write("a/2", 22)
    try world.write("b/2", 3)
    #expect(unlink(world.tree.text + "/c/1") == 0)
    let states = try world.states(world.scan())
    #expect(states == ["a/1": "unchanged", "a/2": "changed", "b/1": "unchanged", "b/2": "new", "c/1": "vanished"])
    #expect(try world.kept() == world.present())
    // Back as if it had never been away.
    try world.write("c/1", 1)
    #expect(try world.states(world.scan())["c/1"] != "unchanged")
    #expect(try world.kept() == world.present())
  }

  @Test("R-TRAY-22: renamed and moved files are recognised without decoding")
  func moves() throws {
    for name in ["a/1", "a/2", "b/c/1", "b/c/2"] { try world.write(name, name.hashValue & 0xFFFF) }
    try world.scan()
    #expect(rename(world.tree.text + "/a/1", world.tree.text + "/z") == 0)
    #expect(rename(world.tree.text + "/b/c", world.tree.text + "/a/c") == 0)
    #expect(link(world.tree.text + "/a/2", world.tree.text + "/a/same") == 0)
    let states = try world.states(world.scan())
    #expect(states["z"] == "moved")
    #expect(states["a/c/1"] == "moved")
    #expect(states["a/c/2"] == "moved")
    #expect(states["a/same"] == "linked")
    #expect(try world.kept() == world.present())
    #expect(try Set(world.states(world.scan()).values) == ["unchanged"])
    #expect(try world.kept([.vanished]).isEmpty)
  }

  @Test func `A copy is recognised by its digest if digests are asked for`() throws {
    try world.write("a.jpg", 1, isImage: true)
    try world.scan(["--digest", "--renditions", "grid"])
    try world.write("b.jpg", 1, isImage: true)
    let second = try world.scan(["--digest", "--renditions", "grid"])
    #expect(try world.states(second) == ["a.jpg": "unchanged", "b.jpg": "linked"])
    #expect(try world.kept() == world.present())
  }

  @Test func `Renditions that were not asked for before are made later`() throws {
    try world.write("a.jpg", 1, isImage: true)
    try world.scan()
    let second = try world.scan(["--renditions", "grid,message"])
    let record = try #require(try second.records.first)
    #expect(record["state"] as? String == "completed")
    let renditions = try #require(record["renditions"] as? [[String: Any]])
    #expect(Set(renditions.compactMap { $0["name"] as? String }) == ["grid", "message"])
    let library = try world.open()
    for rendition in renditions {
      let address = try #require((rendition["address"] as? String).flatMap { ContentDigest(hexadecimal: $0) })
      #expect(try library.store.read(address)?.count == rendition["bytes"] as? Int)
    }
    // Fewer than there are is nothing to do.
    #expect(try world.states(world.scan(["--renditions", "grid"])) == ["a.jpg": "unchanged"])
    #expect(try world.states(world.scan()) == ["a.jpg": "unchanged"])
  }

  @Test func `A failed file is not tried again until it changes or its code is named`() throws {
    try world.write("a/1", 1)
    let broken = try world.write("a/broken.jpg", 1, isImage: true)
    try Data(ScanWorld.image.prefix(400)).write(to: URL(fileURLWithPath: broken))
    let first = try world.scan()
    #expect(first.status == 1)
    let error = try first.records.compactMap { $0["error"] as? [String: Any] }.first
    let code = try #require(error?["code"] as? String)

    let second = try world.scan()
    #expect(second.status == 0)
    #expect(try Set(world.states(second).values) == ["unchanged"])
    let others = try world.scan(["--retry", "timedOut"])
    #expect(try Set(world.states(others).values) == ["unchanged"])
    let third = try world.scan(["--retry", PathBytes(code)])
    #expect(third.status == 1)
    #expect(try world.states(third)["a/broken.jpg"] == "retried")

    let list = try Command.run(["scan", "--failures", "--json", "--library", world.library])
    #expect(list.status == 0)
    let failed = try #require(try list.records.first)
    #expect(failed["path"] as? String == broken)
    #expect(failed["attempts"] as? Int == 2)
    #expect((failed["error"] as? [String: Any])?["code"] as? String == code)

    try world.write("a/broken.jpg", 2, isImage: true)
    #expect(try world.states(world.scan())["a/broken.jpg"] == "changed")
    #expect(try Command.run(["scan", "--failures", "--json", "--library", world.library]).output == "")
  }

  @Test func `A file that may not be read is tried again each time`() throws {
    let path = try world.write("a", 1)
    #expect(chmod(path, 0) == 0)
    defer { chmod(path, 0o644) }
    guard getuid() != 0 else {
      print("skipped: root may read every file")
      return
    }
    #expect(try world.scan().status == 1)
    #expect(try world.states(world.scan()) == ["a": "retried"])
    chmod(path, 0o644)
    #expect(try world.scan().status == 0)
  }

  @Test func `A dry run states what a scan would do, and does nothing`() throws {
    try world.write("a", 1)
    try world.scan()
    try world.write("b", 2)
    #expect(unlink(world.tree.text + "/a") == 0)
    let before = try world.kept([.new, .done, .failed, .vanished])
    let dry = try world.scan(["--dry-run"])
    #expect(dry.status == 0)
    #expect(try world.states(dry) == ["a": "vanished", "b": "new"])
    #expect(try world.kept([.new, .done, .failed, .vanished]) == before)
  }

  @Test func `Excluded patterns, hidden files and the library itself are skipped`() throws {
    for name in ["a.txt", "a.tmp", ".hidden", "cache/1", "keep/2"] { try world.write(name, 1) }
    try Data("cache/\n".utf8).write(to: URL(fileURLWithPath: world.tree.text + "/.mediaignore"))
    let library = world.tree.appending("library".utf8)
    let arguments: [PathBytes] = ["scan", world.tree, "--library", library, "--json", "--exclude", "*.tmp"]
    let first = try Command.run(arguments)
    #expect(try Set(world.states(first).keys) == ["a.txt", "keep/2"])
    // Nothing of the library is a file to scan, however often.
    #expect(try Set(world.states(Command.run(arguments)).keys) == ["a.txt", "keep/2"])
    let hidden = try Command.run(arguments + ["--hidden", "--include", "*.txt", "--include", ".hidden"])
    #expect(try Set(world.states(hidden).keys) == ["a.txt", ".hidden"])
    // What a pattern leaves out this time has not vanished.
    #expect(try world.states(Command.run(arguments))["keep/2"] == "unchanged")
  }

  @Test func `A folder that is named twice or within another is scanned once`() throws {
    try world.write("a/1", 1)
    let result = try Command.run([
      "scan", world.tree, world.tree.appending("a".utf8), world.tree, "--library", world.library, "--json",
    ])
    #expect(try result.records.count == 1)
    let missing = try Command.run(["scan", world.scratch("none"), world.tree, "--library", world.library, "--json"])
    #expect(missing.status == 1)
    #expect(try missing.records.count == 2)
  }

  @Test func `The newest files come first, and then the others`() throws {
    for number in 0..<12 {
      let path = try world.write("\(number % 3)/\(number)", number)
      var times = [
        timeval(tv_sec: 1_600_000_000 + number, tv_usec: 0), timeval(tv_sec: 1_600_000_000 + number, tv_usec: 0),
      ]
      #expect(utimes(path, &times) == 0)
    }
    let expected = (0..<12).reversed().map { "\(world.tree.text)/\($0 % 3)/\($0)" }
    let kept = try world.scan(["--newest-first"]).records
    #expect(kept.compactMap { $0["path"] as? String }.prefix(12) == expected[...])
    #expect(kept.dropFirst(12).allSatisfy { $0["state"] as? String == "unchanged" })
    let filtered = try Command.run(["scan", world.tree, "--no-library", "--newest-first"]).records
    #expect(filtered.compactMap { $0["path"] as? String } == expected)
  }

  @Test func `The heap keeps the newest, whatever their order`() {
    var random = SeededGenerator(seed: 1)
    let stamps = (0..<500).map { number in
      FileStamp(
        path: PathBytes("/\(number)"), device: 1, inode: UInt64(number), size: 1, modified: Int64(random.below(100)),
        changed: 0)
    }
    var newest = NewestFirst(capacity: 50)
    for stamp in stamps.shuffled(using: &random) { newest.insert(stamp) }
    let expected = stamps.sorted { ($0.modified, $1.path) > ($1.modified, $0.path) }.prefix(50)
    #expect(newest.sorted == Array(expected))
  }

  @Test func `Another scan of the same library is refused`() throws {
    try world.write("a", 1)
    let first = try Command(world.arguments(["--watch"]))
    defer { first.send(SIGKILL) }
    while (try? world.kept().count) != 1 { sched_yield() }
    let second = try world.scan()
    #expect(second.status == 70)
    #expect(second.errors.contains("library"))
    first.send(SIGTERM)
    #expect(try first.finish().status == 0)
  }

  @Test(arguments: [
    (["scan"], "folders"), (["scan", "a", "--failures"], "--failures"),
    (["scan", "a", "--no-library", "--watch"], "--no-library"),
    (["scan", "a", "--no-library", "--library", "l"], "--no-library"),
    (["scan", "a", "--renditions", "grid,none", "--library", "l"], "avatar"),
    (["scan", "a", "--library", "l", "--watch", "--dry-run"], "--dry-run"),
    (["scan", "a", "--library", "l", "--retry", "x y"], "code"), (["scan", "a", "--exclude", "#"], "pattern"),
  ])
  func `A wrong command line exits with 64 and states what is allowed`(arguments: [String], hint: String) throws {
    let result = try Command.run(arguments.map { PathBytes($0) }, folder: world.scratch.path)
    #expect(result.status == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
  }
}
