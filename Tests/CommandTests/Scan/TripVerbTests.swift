internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("mediatool set and mediatool trip") struct TripVerbTests {
  let world: ScanWorld

  init() throws {
    world = try ScanWorld()
    for name in ["IMG_0001.jpg", "IMG_0002.jpg"] {
      let source = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/\(name)")
      try FileManager.default.copyItem(atPath: source.path, toPath: "\(world.tree.text)/\(name)")
    }
    try world.scan([])
  }

  private func run(_ arguments: [PathBytes]) throws -> Command.Output {
    try Command.run(arguments + ["--library", world.library])
  }

  private func photo(_ number: Int) -> PathBytes { world.tree.appending("IMG_000\(number).jpg".utf8) }

  private func first(_ output: Command.Output) throws -> [String: Any] {
    #expect(output.status == 0, "\(output.errors)")
    return try #require(try output.records.first)
  }

  @Test("R-MYM-2, R-MYM-6: set changes owner, title, caption and location of files by path or id") func set() throws {
    let labelled = try first(
      run(["set", photo(1), "--owner", "ada", "--title", "Beach", "--caption", "Sun", "--location", "-22.5,7.25"]))
    #expect(labelled["owner"] as? String == "ada")
    #expect(labelled["title"] as? String == "Beach")
    #expect(labelled["caption"] as? String == "Sun")
    let clusters = try run(["locations", "--owner", "ada"]).records
    let centre = try #require(clusters.first?["centre"] as? [String: Double])
    #expect(abs((centre["latitude"] ?? 0) + 22.5) < 0.001)
    let id = try #require(labelled["id"] as? Int)
    let cleared = try first(run(["set", PathBytes("\(id)"), "--location", "none", "--title", ""]))
    #expect(cleared["title"] == nil)
    #expect(try run(["locations", "--owner", "ada"]).records.isEmpty)
    let missing = try run(["set", photo(9), photo(2), "--title", "x"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("is not in the library"))
    #expect(try missing.records.count == 1)
    for wrong: [PathBytes] in [
      ["set", photo(1)], ["set", photo(1), "--location", "91,0"], ["set", photo(1), "--quarantine", "r", "--release"],
      ["set", photo(2), "--visibility", "friends"], ["set", photo(2), "--visibility", "nobody"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong.map(\.text))")
    }
  }

  @Test("set puts files into a collection of their owner and removes them from it; a file without an owner is refused")
  func collection() throws {
    let both = try run(["set", photo(1), photo(2), "--owner", "ada", "--collection", "summer"])
    #expect(both.status == 0)
    #expect(try both.records.map { $0["collection"] as? String } == ["summer", "summer"])
    #expect(try first(run(["set", photo(1), "--collection", "winter"]))["collection"] as? String == "winter")
    #expect(try first(run(["set", photo(2), "--collection", ""]))["collection"] == nil)
    #expect(try first(run(["set", photo(1), "--owner", "bob"]))["collection"] == nil, "it is ada's")
    #expect(try run(["set", photo(2), "--owner", ""]).status == 0)
    let refused = try run(["set", photo(1), photo(2), "--collection", "summer"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("no owner"))
    let files = try run(["find", "--owner", "bob", "--json"]).records
    #expect(files.allSatisfy { $0["collection"] == nil }, "all or none")
    #expect(try run(["set", photo(1), "--owner", "", "--collection", "summer"]).status == 64)
  }

  @Test("R-MYM-13: set makes all changes of all files or none, and deletes no moment unless asked to") func setIsWhole()
    throws
  {
    let posted = try first(run(["set", photo(1), "--owner", "ada", "--title", "Beach", "--visibility", "friends"]))
    #expect((posted["moments"] as? [Int])?.count == 1)
    func labels() throws -> [String] {
      try run(["find", "--json"]).records.map {
        "\($0["owner"] as? String ?? "") \($0["title"] as? String ?? "")"
      }.sorted()
    }
    #expect(try labels() == [" ", "ada Beach"])
    let refused = try run(["set", photo(2), photo(1), "--owner", "bob", "--title", "Lake"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("1 moment"), "\(refused.errors)")
    #expect(refused.errors.contains("--delete-moments"), "\(refused.errors)")
    #expect(try run(["set", photo(1), "--owner", ""]).status == 64)
    // What fails last undoes what came first.
    #expect(try run(["set", photo(2), photo(1), "--title", "Lake", "--trip", "99"]).status == 64)
    #expect(try run(["set", photo(1), photo(2), "--title", "Lake", "--visibility", "public"]).status == 64)
    #expect(try run(["set", photo(1), "--title", "Lake", "--delete-moments"]).status == 64)
    #expect(try labels() == [" ", "ada Beach"])
    let given = try first(run(["set", photo(1), "--owner", "bob", "--delete-moments"]))
    #expect(given["owner"] as? String == "bob")
    #expect((given["moments"] as? [Int] ?? []).isEmpty)
    #expect(try labels() == [" ", "bob Beach"])
  }

  @Test("R-MYM-26: a quarantined file is not found until it is released; the audit trail has both") func quarantine()
    throws
  {
    #expect(try first(run(["set", photo(1), "--quarantine", "reported"]))["state"] as? String == "quarantined")
    #expect(try run(["find", "--json"]).records.count == 1)
    #expect(try run(["set", photo(1), "--release"]).status == 0)
    #expect(try run(["find", "--json"]).records.count == 2)
    let audit = try run(["moderate", "audit", "--json"]).records
    #expect(audit.map { $0["action"] as? String } == ["release", "quarantine"])
    #expect(audit.allSatisfy { ($0["actor"] as? String)?.isEmpty == false })
  }

  @Test("R-MYM-18: a trip is created, filled, ordered, edited, found, drawn and deleted") func life() throws {
    let trip = try first(run(["trip", "create", "Around the lake", "--owner", "ada", "--start", "2024-06-01"]))
    let id = PathBytes("\(try #require(trip["trip"] as? Int))")
    #expect(trip["started"] as? Int == 1_717_200_000)
    #expect(trip["ended"] == nil)
    #expect(try first(run(["trip", "add", id, photo(1), photo(2)]))["moments"] as? Int == 2)
    // The same files again are the same moments.
    #expect(try first(run(["trip", "add", id, photo(1)]))["moments"] as? Int == 2)
    #expect(try first(run(["trip", "add", id, "--note", "Ferry", "--location", "-1.5,2"]))["moments"] as? Int == 3)
    #expect(try first(run(["set", photo(1), "--visibility", "friends", "--trip", id]))["moments"] as? [Int] != nil)
    let shown = try run(["trip", "show", id]).records
    #expect(shown.count == 4)
    #expect(shown.compactMap { $0["kind"] as? String } == ["photo", "note", "photo"])
    #expect(shown[3]["visibility"] as? String == "friends")
    #expect((shown[3]["path"] as? String)?.hasSuffix("IMG_0001.jpg") == true)
    let note = PathBytes("\(try #require(shown[2]["moment"] as? Int))")
    #expect(try run(["trip", "order", id, note]).status == 0)
    #expect(try run(["trip", "show", id]).records[1]["kind"] as? String == "note")
    #expect(try run(["trip", "order", id, "--by-time"]).status == 0)
    #expect(try first(run(["trip", "remove", id, note]))["moments"] as? Int == 2)
    let edited = try first(
      run(["trip", "edit", id, "--title", "Lake", "--description", "By boat", "--end", "2024-06-09"]))
    #expect(edited["title"] as? String == "Lake")
    #expect(edited["ended"] as? Int == 1_717_891_200)
    #expect(try run(["trip", "list", "boat"]).records.count == 1)
    #expect(try run(["trip", "list", "boat", "--owner", "bob"]).records.isEmpty)
    #expect(try run(["trip", "list", "--table"]).output.contains("Lake"))
    let path = try first(run(["trip", "path", id, "--geojson", "--zoom", "3"]))
    #expect(path["type"] as? String == "FeatureCollection")
    let lines = try run(["trip", "path", id]).records
    #expect(try lines.count == #require(path["features"] as? [Any]).count)
    #expect(lines.first?["type"] as? String == "Feature")
    let report = try first(run(["trip", "delete", id]))
    #expect(report["trips"] as? Int == 1)
    #expect(report["moments"] as? Int == 0)
    #expect(try run(["trip", "show", id]).status == 64)
  }

  /// Number of files in a folder that contain a word.
  private func files(containing word: String, in folder: PathBytes) -> Int {
    (FileManager.default.subpaths(atPath: folder.text) ?? []).count { name in
      FileManager.default.contents(atPath: "\(folder.text)/\(name)")?.range(of: Data(word.utf8)) != nil
    }
  }

  @Test("R-MYM-24: a trip is deleted from the copy, too, and status 1 reports a copy that was not named")
  func deletedFromCopy() throws {
    let copy = world.scratch("copy")
    var trips: [PathBytes] = []
    for title in ["Quokkatrip", "Wombattrip"] {
      let trip = try first(run(["trip", "create", PathBytes(title), "--owner", "ada"]))
      trips.append(PathBytes("\(try #require(trip["trip"] as? Int))"))
    }
    #expect(try run(["trip", "add", trips[0], "--note", "Quokkanote"]).status == 0)
    #expect(try world.scan(["--copy", copy]).status == 0)
    #expect(files(containing: "Quokkanote", in: copy) > 0)
    let named = try first(run(["trip", "delete", trips[0], "--with-moments", "--copy", copy]))
    #expect(named["notErased"] as? [String] == [])
    for word in ["Quokkatrip", "Quokkanote"] { #expect(files(containing: word, in: copy) == 0, "\(word)") }
    let unnamed = try run(["trip", "delete", trips[1]])
    #expect(unnamed.status == 1)
    #expect(try unnamed.records.first?["notErased"] as? [String] == ["the copy"])
    #expect(unnamed.errors.contains("--copy"), "\(unnamed.errors)")
    #expect(files(containing: "Wombattrip", in: copy) > 0)
    #expect(try run(["trip", "list", "--copy", copy]).status == 64)
  }

  @Test("R-MYM-13: a change of a trip that has another version by now is refused") func versions() throws {
    let trip = try first(run(["trip", "create", "T", "--owner", "ada"]))
    let id = PathBytes("\(try #require(trip["trip"] as? Int))")
    #expect(try run(["trip", "edit", id, "--title", "U", "--if-version", "1"]).status == 0)
    let stale = try run(["trip", "edit", id, "--title", "V", "--if-version", "1"])
    #expect(stale.status == 64)
    #expect(stale.errors.contains("version 2"))
    #expect(try first(run(["trip", "list"]))["title"] as? String == "U")
    let erasing = try run(["trip", "delete", id, "--if-version", "1"])
    #expect(erasing.status == 64)
    #expect(erasing.errors.contains("version 2"), "\(erasing.errors)")
    #expect(try first(run(["trip", "list"]))["title"] as? String == "U")
    for wrong: [PathBytes] in [
      ["trip"], ["trip", "dance"], ["trip", "create", "x"], ["trip", "edit", id], ["trip", "add", id],
      ["trip", "order", id],
      ["trip", "show", "x"], ["trip", "show", "99"], ["trip", "create", "x", "--owner", "a", "--start", "open"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong.map(\.text))")
    }
  }
}
