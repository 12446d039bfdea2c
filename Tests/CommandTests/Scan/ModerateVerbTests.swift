internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool moderate") struct ModerateVerbTests {
  let world: ScanWorld

  init() throws {
    world = try ScanWorld()
    for number in 1...3 { try world.write("\(number).jpg", min(number, 2), isImage: true) }
    // 2 and 3 are of one content.
    try world.scan(["--digest"])
  }

  func run(_ arguments: [PathBytes], _ environment: [String: String] = [:]) throws -> Command.Output {
    try Command.run(["moderate"] + arguments + ["--library", world.library], environment: environment)
  }

  func path(_ number: Int) -> PathBytes { world.tree.appending("\(number).jpg".utf8) }
  func found() throws -> Int {
    try Command.run(["find", "--json", "--library", world.library]).records.count
  }

  @Test("R-MYM-26: a blocked content is not found by any name, also when it is scanned later, until it is unblocked")
  func block() throws {
    let blocked = try #require(try run(["block", path(2), "--reason", "law", "--by", "mod"]).records.first)
    #expect((blocked["files"] as? [Int])?.count == 2)
    let content = PathBytes(try #require(blocked["content"] as? String))
    #expect(try found() == 1)
    try world.write("4.jpg", 2, isImage: true)
    try world.scan(["--digest"])
    #expect(try found() == 1)
    let listed = try run(["list"]).records
    #expect(listed.count == 3)
    #expect(listed.allSatisfy { ($0["block"] as? [String: Any])?["reason"] as? String == "law" })
    #expect(try run(["list", "--table"]).output.contains("law"))
    #expect(try run(["blocked"]).records.map { $0["content"] as? String } == [content.text])
    let refused = try run(["release", path(2)])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("unblock"))
    #expect(
      try run(["unblock", content, "--reason", "mistake", "--by", "mod"]).records.first?["blocked"] as? Bool == false)
    #expect(try found() == 4)
    let audit = try run(["audit"]).records
    #expect(audit.map { $0["action"] as? String } == ["unblock", "block"])
    #expect(audit.map { $0["reason"] as? String } == ["mistake", "law"])
    #expect(audit.allSatisfy { $0["actor"] as? String == "mod" })
    #expect(try run(["audit", "--table"]).output.contains("mistake"))
  }

  @Test("Images that look alike are blocked by a file or a hash, listed and found") func images() throws {
    let hash = "7555d545482d80f8"
    // The files of this library have too little structure for a hash.
    let unknown = try run(["block-image", path(1), "--reason", "law"])
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("no perceptual hash"))
    let blocked = try run([
      "block-image", PathBytes(hash), "--reason", "law", "--by", "mod", "--distance", "2",
    ]).records
    #expect(blocked.map { $0["image"] as? String } == [hash])
    #expect(blocked.first?["distance"] as? Int == 2)
    #expect(try run(["blocked-images"]).records.map { $0["reason"] as? String } == ["law"])
    #expect(try run(["blocked-images", "--table"]).output.contains(hash))
    #expect(try run(["similar", PathBytes(hash), "--distance", "0"]).records.isEmpty)
    let unblocked = try run(["unblock-image", PathBytes(hash), "--by", "mod"]).records
    #expect(unblocked.map { $0["blocked"] as? Bool } == [false])
    #expect(try run(["blocked-images"]).records.isEmpty)
    #expect(try run(["audit"]).records.map { $0["image"] as? String } == [hash, hash])
    #expect(try run(["block-image", PathBytes(hash)]).status == 64)
    #expect(try run(["list", "--distance", "2"]).status == 64)
    #expect(try run(["similar", PathBytes(hash), "--distance", "9"]).status == 64)
  }

  @Test("A content that is not blocked is reported; a file of an unblocked content that stays quarantined is, too")
  func unblockOfNothing() throws {
    let blocked = try #require(try run(["block", path(2), "--reason", "law"]).records.first)
    let content = PathBytes(try #require(blocked["content"] as? String))
    let other = try run(["unblock", path(1)])
    #expect(other.status == 1)
    #expect(other.errors.contains("is not blocked"))
    #expect(try other.records.map { $0["files"] as? [Int] ?? [] }.map(\.count) == [1], "files that have it are named")
    #expect(try run(["quarantine", path(3), "--reason", "rude"]).status == 0)
    // 2 and 3 have this content: it is unblocked once.
    let unblocked = try run(["unblock", path(2), path(3), content])
    #expect(unblocked.status == 0, "\(unblocked.errors)")
    #expect(try unblocked.records.map { $0["blocked"] as? Bool } == [false])
    let id = try #require(try run(["show", path(3)]).records.first?["id"] as? Int)
    #expect(unblocked.errors.contains("file \(id) stays quarantined"))
    #expect(try found() == 2)
    let again = try run(["unblock", content])
    #expect(again.status == 1)
    #expect(again.errors.contains("the content \(content) is not blocked"))
    #expect(try run(["audit"]).records.map { $0["action"] as? String } == ["unblock", "quarantine", "block"])
  }

  @Test("An image that is not blocked is reported, with the blocked image that it looks like") func unblockOfNear()
    throws
  {
    let (hash, near) = ("7555d545482d80f8", "7555d545482d80fb")
    #expect(try run(["block-image", PathBytes(hash), "--reason", "law"]).status == 0)
    let wrong = try run(["unblock-image", PathBytes(near)])
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("the image \(near) is not blocked"))
    #expect(wrong.errors.contains("stay blocked: the blocked image \(hash) differs in 2 bits"))
    #expect(try run(["blocked-images"]).records.count == 1)
    #expect(try run(["block-image", PathBytes(near), "--reason", "law"]).status == 0)
    let one = try run(["unblock-image", PathBytes(near), PathBytes(near)])
    #expect(one.status == 0, "\(one.errors)")
    #expect(one.errors.contains("stay blocked: the blocked image \(hash)"))
    #expect(try run(["unblock-image", PathBytes(hash)]).errors.contains("stay blocked") == false)
  }

  @Test("A file is quarantined, released, protected and shown; unknown ones are reported") func files() throws {
    let hidden = try #require(try run(["quarantine", path(2), "--reason", "rude", "--by", "mod"]).records.first)
    #expect(hidden["hidden"] as? Bool == true)
    #expect(hidden["state"] as? String == "quarantined")
    #expect(try found() == 2)
    let id = PathBytes("\(try #require(hidden["id"] as? Int))")
    let shown = try #require(try run(["release", id]).records.first)
    #expect(shown["state"] as? String == "done")
    #expect(try found() == 3)
    #expect(try run(["protect", id, "--reason", "press"]).status == 0)
    let protection = try run(["show", id]).records.first?["protection"] as? [String: Any]
    #expect(protection?["reason"] as? String == "press")
    #expect((protection?["actor"] as? String)?.isEmpty == false)
    #expect(try run(["unprotect", id]).records.first?["protection"] == nil)
    #expect(try run(["reports"]).records.isEmpty)
    #expect(try run(["dismiss", id]).status == 0)
    let missing = try run(["protect", path(9), path(1)])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("is not in the library"))
    #expect(try missing.records.count == 1)
    for wrong: [PathBytes] in [
      [], ["dance"], ["block", path(1)], ["quarantine", path(1)], ["list", path(1)], ["show"], ["list", "--all"],
      ["scan"], ["scan", "--clamd", "nowhere"], ["audit", "--clamd", "unix:/x"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong.map(\.text))")
    }
  }

  @Test("A note is held and released by its id, and the reports about it are listed and discarded") func notes() throws
  {
    func trip(_ arguments: [PathBytes]) throws -> [String: Any] {
      try #require(try Command.run(["trip"] + arguments + ["--json", "--library", world.library]).records.first)
    }
    let number = try #require(try trip(["create", "T", "--owner", "ada"])["trip"] as? Int)
    _ = try trip(["add", PathBytes("\(number)"), "--note", "Rude words"])
    let library = try Library.open(at: LibraryLocation(folder: world.library), for: .writing)
    let note = try #require(try library.moments.newest(.owner("ada"), after: nil, limit: 9).moments.first?.id)
    _ = try library.moderation.report(moment: note, by: "bob", reason: "rude", at: 1, threshold: nil)
    try library.close()
    let id = PathBytes("\(note.rawValue)")
    #expect(try run(["reports"]).records.map { $0["moment"] as? Int } == [Int(note.rawValue)])
    #expect(try run(["reports", "--table"]).output.contains("moment \(note.rawValue)"))
    let output = try run(["hold", "--moment", id, "--reason", "names a child", "--by", "mod"])
    let held = try #require(try output.records.first)
    #expect(held["state"] as? String == "held")
    #expect(held["caption"] as? String == "Rude words")
    #expect((held["hold"] as? [String: Any])?["reason"] as? String == "names a child")
    #expect(held["reports"] as? Int == 1)
    #expect(try run(["held"]).records.count == 1)
    #expect(try run(["held", "--table"]).output.contains("names a child"))
    #expect(try run(["show", "--moment", id]).records.first?["owner"] as? String == "ada")
    #expect(try run(["release", "--moment", id]).records.first?["state"] as? String == "shown")
    #expect(try run(["held"]).records.isEmpty)
    #expect(try run(["dismiss", "--moment", id]).status == 0)
    #expect(try run(["audit"]).records.map { $0["moment"] as? Int } == [Int](repeating: Int(note.rawValue), count: 3))
    let protected = try run(["protect", "--moment", id, "--reason", "press", "--by", "mod"]).records.first
    #expect((protected?["protection"] as? [String: Any])?["reason"] as? String == "press")
    #expect(try run(["unprotect", "--moment", id]).records.first?["protection"] == nil)
    #expect(try run(["audit"]).records.prefix(2).map { $0["action"] as? String } == ["unprotect", "protect"])
    let unknown = try run(["show", "--moment", "999"])
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("moment 999"))
    for wrong: [PathBytes] in [
      ["hold"], ["hold", "--moment", id], ["hold", path(1), "--reason", "r"], ["held", path(1)],
      ["block", "--moment", id, "--reason", "r"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong.map(\.text))")
    }
  }

  @Test("A trip is held and released by its id, and the reports about it are listed and discarded") func trips() throws
  {
    func trip(_ arguments: [PathBytes]) throws -> [String: Any] {
      try #require(try Command.run(["trip"] + arguments + ["--json", "--library", world.library]).records.first)
    }
    let number = try #require(
      try trip(["create", "Rude words", "--owner", "ada", "--visibility", "public"])["trip"] as? Int)
    let library = try Library.open(at: LibraryLocation(folder: world.library), for: .writing)
    _ = try library.moderation.report(
      trip: Trip.ID(rawValue: Int64(number)), by: "bob", reason: "rude", at: 1, threshold: nil)
    try library.close()
    let id = PathBytes("\(number)")
    #expect(try run(["reports"]).records.map { $0["trip"] as? Int } == [number])
    #expect(try run(["reports", "--table"]).output.contains("trip \(number)"))
    let held = try #require(try run(["hold", "--trip", id, "--reason", "names a child", "--by", "mod"]).records.first)
    #expect(held["state"] as? String == "held")
    #expect(held["title"] as? String == "Rude words")
    #expect((held["hold"] as? [String: Any])?["reason"] as? String == "names a child")
    #expect(held["reports"] as? Int == 1)
    #expect(try run(["held-trips"]).records.count == 1)
    #expect(try run(["held-trips", "--table"]).output.contains("names a child"))
    #expect(try run(["show", "--trip", id]).records.first?["owner"] as? String == "ada")
    #expect(try run(["release", "--trip", id]).records.first?["state"] as? String == "shown")
    #expect(try run(["held-trips"]).records.isEmpty)
    let protected = try run(["protect", "--trip", id, "--reason", "press", "--by", "mod"]).records.first
    #expect((protected?["protection"] as? [String: Any])?["reason"] as? String == "press")
    #expect(try run(["unprotect", "--trip", id]).records.first?["protection"] == nil)
    #expect(try run(["dismiss", "--trip", id]).status == 0)
    #expect(try run(["audit"]).records.allSatisfy { $0["trip"] as? Int == number })
    let unknown = try run(["show", "--trip", "999"])
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("trip 999"))
    for wrong: [PathBytes] in [
      ["hold", "--trip", id], ["held-trips", path(1)], ["block", "--trip", id, "--reason", "r"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong.map(\.text))")
    }
  }

  @Test("A blocked image quarantines files that look like it: those in the library, and those that a scan finds")
  func similarFiles() throws {
    func copy(_ fixture: String, to name: String) throws {
      try Data(Fixture.bytes(fixture)).write(to: URL(fileURLWithPath: "\(world.tree.text)/\(name)"))
    }
    try copy("color/rgb8.png", to: "a.png")
    try copy("color/display-p3.png", to: "b.png")
    try world.scan(["--digest", "--renditions", "grid"])
    let image = world.tree.appending("a.png".utf8)
    let blocked = try run(["block-image", image, "--reason", "law", "--by", "mod", "--quarantine-similar"])
    #expect(blocked.status == 0, "\(blocked.errors)")
    let hidden = try run(["list"]).records
    #expect(hidden.count == 2)
    #expect(hidden.allSatisfy { ($0["quarantine"] as? [String: Any])?["actor"] as? String == "similarity" })
    #expect(try run(["release", world.tree.appending("b.png".utf8)]).status == 0)
    var bytes = try Fixture.bytes("color/display-p3.png")
    bytes.append(0)
    for name in ["c.png", "d.png"] { try Data(bytes).write(to: URL(fileURLWithPath: "\(world.tree.text)/\(name)")) }
    try world.scan(["--digest", "--renditions", "grid", "--quarantine-similar"])
    let paths = try run(["list"]).records.compactMap { $0["path"] as? String }
    #expect(Set(paths.map { String($0.suffix(5)) }) == ["a.png", "c.png", "d.png"], "b was released")
    #expect(try run(["block", image, "--reason", "law", "--quarantine-similar"]).status == 64)
  }

  @Test("A blocked image whose like cannot be quarantined stays blocked, and the same command quarantines the rest")
  func incompleteSimilarFiles() throws {
    for (fixture, name) in [("color/rgb8.png", "a.png"), ("color/display-p3.png", "b.png")] {
      try Data(Fixture.bytes(fixture)).write(to: URL(fileURLWithPath: "\(world.tree.text)/\(name)"))
    }
    try world.scan(["--digest", "--renditions", "grid"])
    func change(_ sql: String) throws {
      let queue = try DatabaseQueue(path: world.library.text + "/catalogue.sqlite")
      try queue.write { db in try db.execute(sql: sql) }
      try queue.close()
    }
    try change("CREATE TRIGGER failing BEFORE INSERT ON file_flag BEGIN SELECT RAISE(ABORT, 'failing'); END")
    let command: [PathBytes] = [
      "block-image", world.tree.appending("a.png".utf8), "--reason", "law", "--quarantine-similar",
    ]
    let failed = try run(command)
    #expect(failed.status == 70)
    #expect(failed.errors.contains("run the command again"))
    #expect(try run(["blocked-images"]).records.count == 1)
    #expect(try run(["list"]).records.isEmpty)
    try change("DROP TRIGGER failing")
    #expect(try run(command).status == 0)
    #expect(try run(["list"]).records.count == 2)
  }
}
