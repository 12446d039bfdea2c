internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool moments, and the location sharing of mediatool set") struct MomentVerbTests {
  let world: ScanWorld

  init() throws {
    world = try ScanWorld()
    let source = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/IMG_0001.jpg")
    try FileManager.default.copyItem(atPath: source.path, toPath: "\(world.tree.text)/IMG_0001.jpg")
    try world.scan([])
  }

  private var photo: PathBytes { world.tree.appending("IMG_0001.jpg".utf8) }

  private func run(_ arguments: [PathBytes]) throws -> Command.Output {
    try Command.run(arguments + ["--library", world.library])
  }

  private func first(_ arguments: [PathBytes]) throws -> [String: Any] {
    let output = try run(arguments)
    #expect(output.status == 0, "\(output.errors)")
    return try #require(try output.records.first)
  }

  /// A note of ada that friends see.
  private func note(_ text: PathBytes) throws -> [String: Any] {
    try first([
      "moments", "post", "--note", text, "--owner", "ada", "--location", "-1.5,2", "--time",
      "2024-06-30T12:00:00+02:00", "--visibility", "friends",
    ])
  }

  @Test("R-MYM-2: post makes a moment of a file or a note, with its time, offset, location and visibility")
  func post() throws {
    let note = try note("The ferry was late")
    #expect(note["kind"] as? String == "note")
    #expect(note["caption"] as? String == "The ferry was late")
    #expect(note["time"] as? Int == 1_719_741_600)
    #expect(note["utcOffset"] as? Int == 7_200)
    #expect((note["location"] as? [String: Any])?["latitude"] as? Double == -1.5)
    #expect(note["visibility"] as? String == "friends")
    let trip = try #require(try first(["trip", "create", "Lake", "--owner", "ada"])["trip"] as? Int)
    let posted = try first([
      "moments", "post", photo, "--owner", "ada", "--title", "Beach", "--trip", PathBytes("\(trip)"),
    ])
    #expect(posted["kind"] as? String == "photo")
    #expect(posted["title"] as? String == "Beach")
    #expect((posted["path"] as? String)?.hasSuffix("IMG_0001.jpg") == true)
    #expect(try run(["trip", "show", PathBytes("\(trip)")]).records.count == 2)
    let missing = try run(["moments", "post", photo, world.tree.appending("IMG_0009.jpg".utf8), "--owner", "ada"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("is not in the library"))
  }

  @Test("R-MYM-16, R-MYM-17: list and map have the moments of owners, readers, kinds, times, changes and words")
  func list() throws {
    let id = try #require(try note("The ferry was late")["moment"] as? Int)
    _ = try first(["moments", "post", photo, "--owner", "bob", "--title", "Beach"])
    func kinds(_ arguments: [PathBytes]) throws -> [String] {
      let output = try run(["moments", "list"] + arguments)
      #expect(output.status == 0, "\(output.errors)")
      return try output.records.compactMap { $0["kind"] as? String }.sorted()
    }
    #expect(try kinds([]) == ["note", "photo"])
    #expect(try kinds(["--by-change", "--limit", "1"]).count == 1)
    #expect(try kinds(["late", "ferr"]) == ["note"])
    #expect(try kinds(["--owner", "bob"]) == ["photo"])
    #expect(try kinds(["--owner", "bob", "--owner", "ada"]) == ["note", "photo"])
    #expect(try kinds(["--kind", "note", "--kind", "audio"]) == ["note"])
    #expect(try kinds(["--audience", "friends"]) == ["note"])
    #expect(try kinds(["--audience", "everyone"]) == [])
    #expect(try kinds(["--since", "2024-06-30", "--until", "2024-07-01"]) == ["note"])
    #expect(try kinds(["--changed-since", "1d"]) == ["note", "photo"])
    #expect(try run(["moments", "list", "--table"]).output.contains("The ferry was late"))

    let cluster = try first(["moments", "map", "--kind", "note"])
    #expect(cluster["count"] as? Int == 1)
    #expect(cluster["moment"] as? Int == id)
    let cell = PathBytes(try #require(cluster["id"] as? String))
    #expect(try first(["moments", "map", "--open", cell, "--kind", "note"])["moment"] as? Int == id)
    // The owner has not shared locations with friends.
    #expect(try run(["moments", "map", "--audience", "friends"]).records.isEmpty)
    #expect(try run(["moments", "show", PathBytes("\(id)"), "--audience", "everyone"]).status == 64)
  }

  @Test("R-MYM-13: edit changes what it names, and nothing of a moment that has another version by now")
  func edit() throws {
    let id = PathBytes("\(try #require(try note("The ferry was late")["moment"] as? Int))")
    let edited = try first([
      "moments", "edit", id, "--caption", "On time", "--time", "2024-07-01", "--location", "none", "--visibility",
      "public", "--if-version", "1",
    ])
    #expect(edited["caption"] as? String == "On time")
    #expect(edited["time"] as? Int == 1_719_792_000)
    #expect(edited["utcOffset"] == nil)
    #expect(edited["location"] == nil)
    #expect(edited["visibility"] as? String == "public")
    #expect(edited["version"] as? Int == 2)
    let stale = try run(["moments", "edit", id, "--caption", "Late", "--if-version", "1"])
    #expect(stale.status == 64)
    #expect(stale.errors.contains("version 2"), "\(stale.errors)")
    #expect(try run(["moments", "edit", id, "--caption", ""]).status == 64)
    #expect(try first(["moments", "show", id])["caption"] as? String == "On time")
  }

  @Test("R-MYM-24: delete erases moments, and only those of one owner that have the version that is named")
  func delete() throws {
    let id = PathBytes("\(try #require(try note("The ferry was late")["moment"] as? Int))")
    let bobs = try first(["moments", "post", "--note", "x", "--owner", "bob"])
    let other = PathBytes("\(try #require(bobs["moment"] as? Int))")
    #expect(try run(["moments", "delete", id, "--if-version", "2"]).status == 64)
    #expect(try run(["moments", "delete", id, other]).status == 64)
    #expect(try run(["moments", "delete", id, "--owner", "bob"]).status == 64)
    #expect(try run(["moments", "list"]).records.count == 2)
    #expect(try first(["moments", "delete", id, "--if-version", "1"])["moments"] as? Int == 1)
    #expect(try run(["moments", "show", id]).status == 64)
    #expect(try run(["moments", "list"]).records.count == 1)
  }

  @Test("R-MYM-27: set switches an owner's locations off, also those that the owner has, if asked to")
  func locationSharing() throws {
    _ = try first(["set", photo, "--owner", "ada", "--location", "46.5,7.5", "--visibility", "friends"])
    let setting = try first(["set", "--owner", "ada", "--location-sharing", "none"])
    #expect(setting["owner"] as? String == "ada")
    #expect(setting["locationSharing"] as? String == "none")
    #expect(setting["existing"] as? Bool == false)
    #expect(try run(["moments", "map", "--owner", "ada"]).records.count == 1)
    #expect(try note("Without a location")["location"] == nil)
    let applied = try first(["set", "--owner", "ada", "--location-sharing", "none", "--existing"])
    #expect(applied["existing"] as? Bool == true)
    #expect((applied["notErased"] as? [String])?.isEmpty == true)
    #expect(try run(["moments", "map", "--owner", "ada"]).records.isEmpty)
    #expect(try run(["locations", "--owner", "ada"]).records.isEmpty)
    // A mistyped name is no owner, and does not become one.
    for _ in 0..<2 {
      #expect(try run(["set", "--owner", "aad", "--location-sharing", "none", "--existing"]).status == 1)
    }
  }

  @Test("Command lines that mean nothing are refused") func wrong() throws {
    let id = PathBytes("\(try #require(try note("x")["moment"] as? Int))")
    for wrong: [PathBytes] in [
      ["moments"], ["moments", "dance"], ["moments", "post"], ["moments", "post", "--note", "x"],
      ["moments", "post", photo, "--note", "x", "--owner", "ada"], ["moments", "post", photo], ["moments", "edit", id],
      ["moments", "edit", id, "--time", "soon"], ["moments", "show"], ["moments", "show", "x"],
      ["moments", "show", "99"], ["moments", "delete"], ["moments", "delete", "99"], ["moments", "map", "x"],
      ["moments", "list", "x", "--by-change"], ["moments", "list", "--kind", "text"],
      ["moments", "list", "--audience", "bob"], ["moments", "list", "--copy", "c"], ["set", "--owner", "ada"],
      ["set", "--existing", "--owner", "ada", photo], ["set", "--location-sharing", "none"],
      ["set", photo, "--owner", "ada", "--location-sharing", "none"],
      ["set", "--owner", "ada", "--location-sharing", "some"],
      ["set", "--owner", "ada", "--location-sharing", "none", "--title", "x"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong.map(\.text))")
    }
  }
}
