internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Verbs over a library") struct LibraryVerbTests {
  let world: ScanWorld

  init() throws {
    world = try ScanWorld()
    for name in ["IMG_0001.jpg", "IMG_0002.jpg", "IMG_0010.jpg", "VID_0008.mp4", "notes.txt"] {
      let source = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/\(name)")
      try FileManager.default.copyItem(atPath: source.path, toPath: "\(world.tree.text)/\(name)")
    }
    try world.scan(["--renditions", "grid", "--digest"])
  }

  func run(_ arguments: [PathBytes]) throws -> Command.Output {
    try Command.run(arguments + ["--library", world.library])
  }

  func names(_ output: Command.Output) throws -> [String] {
    try output.records.compactMap { ($0["path"] as? String).map { ($0 as NSString).lastPathComponent } }
  }

  @Test("R-MYM-24: what only a service can erase is reported as not erased where its program is not installed")
  func eraseWithoutService() throws {
    #expect(try run(["set", world.tree.appending("notes.txt".utf8), "--owner", "ada"]).status == 0)
    let database = "\(world.library.text)/service.sqlite"
    try Data("drafts".utf8).write(to: URL(fileURLWithPath: database))
    let erased = try world.commandWithoutDecoders().run(["erase", "--owner", "ada", "--library", world.library.text])
    #expect(erased.status == 1, "\(erased.errors)")
    #expect(erased.text.contains(#""notErased":["\#(database)"]"#), "\(erased.text)")
    #expect(erased.errors.contains("install mediatool-server"), "\(erased.errors)")
  }

  @Test("R-MYM-16, R-MYM-17: files are found by words, kind, time and folder")
  func find() throws {
    #expect(try Set(names(run(["find", "img", "--json"]))) == ["IMG_0001.jpg", "IMG_0002.jpg"])
    #expect(try names(run(["find", "--kind", "video", "--json"])) == ["VID_0008.mp4"])
    #expect(try names(run(["find", "--json"])).count == 4)
    #expect(try names(run(["find", "--json", "--limit", "1"])).count == 1)
    let first = try #require(try run(["find", "img_0001", "--json"]).records.first)
    let taken = try #require(first["takenAt"] as? String).prefix(10)
    #expect(try names(run(["find", "--since", PathBytes(String(taken)), "--json"])).contains("IMG_0001.jpg"))
    #expect(try !names(run(["find", "--until", PathBytes(String(taken)), "--json"])).contains("IMG_0001.jpg"))
    let tree: [PathBytes] = ["find", "--in", world.tree]
    #expect(try names(run(tree + ["--kind", "photo", "img", "--json"])).count == 2)
    #expect(try names(run(tree + ["--kind", "photo", "--kind", "video", "--json"])).count == 3)
    #expect(try names(run(tree + ["vid", "--until", "2000-01-01", "--json"])).isEmpty)
    let paths = try run(tree + ["--paths", "-0", "--kind", "photo"]).output.split(separator: "\0")
    #expect(Set(paths.map(String.init)) == Set((1...2).map { "\(world.tree.text)/IMG_000\($0).jpg" }))
    #expect(try run(["find", "-0"]).status == 64)
    #expect(try run(["find", "--copies", "img"]).status == 64)
    #expect(try names(run(["find", "--in", world.tree, "--json"])).count == 4)
    #expect(try run(["find", "nothing-of-the-kind", "--json"]).status == 0)
    let none = try run(["find", "--copies", "--json"])
    #expect(none.status == 0, "\(none.errors)")
    #expect(none.output.isEmpty, "\(none.errors)")
    #expect(none.errors.contains("no duplicates"), "\(none.errors)")
    try FileManager.default.copyItem(
      atPath: world.tree.text + "/IMG_0001.jpg", toPath: world.tree.text + "/copy.jpg")
    try world.scan(["--digest"])
    #expect(try Set(names(run(["find", "--copies", "--json"]))) == ["IMG_0001.jpg", "copy.jpg"])
  }

  @Test("R-MYM-14, R-MYM-15: locations are clusters, and a cluster opens into its members around its icon")
  func places() throws {
    let result = try run(["places", "--zoom", "10", "--json"])
    let clusters = try result.records
    #expect(clusters.count == 3)
    #expect(clusters.compactMap { $0["count"] as? Int } == [1, 1, 1])
    let id = try #require(clusters.first?["id"] as? String)
    let members = try run(["places", "--open", PathBytes(id), "--json"]).records
    #expect(members.count == 1)
    #expect((members.first?["offset"] as? [String: Double])?["y"] ?? 0 < 0)
    #expect(try run(["places", "--bounds", "0,0,1,1", "--json"]).output == "")
    #expect(try run(["places", "--bounds", "1,0,0,1"]).status == 64)
    // By place and date together.
    let times = try run(["find", "--json"]).records.filter { $0["latitude"] != nil }.compactMap { $0["time"] as? Int }
    let latest = Day.text(try #require(times.max()))
    let since = try run(["places", "--zoom", "0", "--since", PathBytes(latest), "--json"]).records
    #expect(
      since.compactMap { $0["count"] as? Int }.reduce(0, +) == times.count { $0 >= Day(argument: latest)?.seconds ?? 0 }
    )
    #expect(try run(["places", "--since", "2200-01-01", "--json"]).output == "")
    #expect(try run(["places", "--open", PathBytes(id), "--until", "1900-01-01", "--json"]).output == "")
  }

  @Test("R-MYM-12, R-MYM-24: erased files are gone, and erasing them again succeeds")
  func erase() throws {
    let photo = world.tree.appending("IMG_0001.jpg".utf8)
    let first = try run(["forget", "--file", photo])
    #expect(first.status == 0)
    #expect(try first.records.first?["files"] as? Int == 1)
    #expect(try names(run(["find", "img_0001", "--json"])).isEmpty)
    #expect(access(photo.text, F_OK) == 0)
    #expect(try run(["forget", "--file", photo]).records.first?["files"] as? Int == 0)
    #expect(unlink(world.tree.text + "/IMG_0002.jpg") == 0)
    try world.scan()
    #expect(try run(["forget", "--vanished"]).records.first?["files"] as? Int == 1)
    #expect(try run(["forget"]).status == 64)
    let nobody = try run(["erase", "--owner", "nobdy"])
    #expect(nobody.status == 0, "an erasure can be repeated")
    #expect(nobody.errors.contains("owner nobdy has no data in the library; nothing was erased"))
    let album = try run(["erase", "--owner", "nobdy", "--collection", "album"])
    #expect(album.errors.contains("the library has no collection album of the owner nobdy; nothing was erased"))
    let none = try Command.run(["forget", "--vanished", "--library", world.scratch("none")])
    #expect(none.status == 64)
    #expect(world.scratch.files(below: "none").isEmpty)
  }

  @Test("R-MYM-24: an erasure that a reader prevents from being complete says so, ends with 1, and is finished later")
  func erasureWithReader() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: world.library.text + "/catalogue.sqlite", configuration: configuration)
    try reader.inDatabase { db in
      try db.beginTransaction(.deferred)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file") ?? 0 > 0)
    }
    let result = try run(["erase", "--file", world.tree.appending("IMG_0001.jpg".utf8)])
    #expect(result.status == 1)
    #expect(try result.records.first?["isWiped"] as? Bool == false)
    #expect(try result.records.first?["notWiped"] as? String == "reader")
    #expect(result.errors.contains("another process is reading"))
    try reader.inDatabase { db in try db.commit() }
    try reader.close()
    #expect(try run(["erase", "--vanished"]).status == 0)
    let bytes = FileManager.default.contents(atPath: world.library.text + "/catalogue.sqlite") ?? Data()
    #expect(bytes.range(of: Data("IMG_0001".utf8)) == nil)
  }

  private func runWithoutDecoders(_ arguments: [PathBytes]) throws -> Command.Output {
    let output = try world.commandWithoutDecoders().run(arguments.map(\.text))
    return Command.Output(status: Int32(output.status), signal: nil, output: output.text, errors: output.errors)
  }

  @Test("R-TRAY-2: tray, check and thumbnail use what a library knows, and decode nothing")
  func others() throws {
    let tray = try runWithoutDecoders(["tray", "--library", world.library, "--json"])
    #expect(tray.status == 0, "\(tray.errors)")
    let cells = try #require(try tray.records.first?["cells"] as? [[String: Any]])
    #expect(cells.count == 3)
    #expect(cells.allSatisfy { ($0["thumbnail"] as? String)?.hasPrefix("data:image/webp") == true })
    // The same cells, in the same order, as from the folder itself.
    let direct = try #require(
      try Command.run(["tray", world.tree, "--json"]).records.first?["cells"] as? [[String: Any]])
    let known = Set(cells.compactMap { $0["path"] as? String })
    #expect(
      cells.compactMap { $0["path"] as? String } == direct.compactMap { $0["path"] as? String }.filter(known.contains))

    let photo = world.tree.appending("IMG_0001.jpg".utf8)
    let checked = try runWithoutDecoders(["check", photo, "--library", world.library, "--json"])
    #expect(checked.status == 0, "\(checked.errors)")
    let small = try runWithoutDecoders([
      "thumbnail", photo, "--library", world.library, "--json", "-o", world.scratch("small"),
    ])
    #expect(small.status == 0, "\(small.errors)")
    #expect(world.scratch.files(below: "small") == ["IMG_0001.grid.webp"])
    // A file changed since must be probed, which is impossible here.
    try Data("other".utf8).write(to: URL(fileURLWithPath: photo.text))
    #expect(try runWithoutDecoders(["check", photo, "--library", world.library, "--json"]).status != 0)
  }

  @Test func `A command that reads a library reports a missing one and creates none`() throws {
    for verb in ["find", "places", "verify"] {
      let result = try Command.run([PathBytes(verb), "--library", world.scratch("none")])
      #expect(result.status == 64)
      #expect(
        result.errors.contains("There is no library in \(world.scratch("none").text). `mediatool scan DIR` creates one")
      )
    }
  }

  @Test("R-MYM-12: several files are erased together, in the copy too")
  func eraseSeveral() throws {
    let copy = world.scratch("copy")
    #expect(try run(["verify", "--copy", copy, "--repair"]).status == 0)
    #expect(!world.scratch.files(below: "copy").isEmpty)
    let photos = ["IMG_0001.jpg", "IMG_0002.jpg", "IMG_0010.jpg", "VID_0008.mp4"].map { world.tree.appending($0.utf8) }
    let result = try run(["forget", "--copy", copy, "--file"] + photos + [world.tree.appending("none".utf8)])
    #expect(result.status == 0)
    #expect(result.errors.contains("is not in the library"))
    let record = try #require(try result.records.first)
    #expect(try result.records.count == 1)
    #expect(record["files"] as? Int == 4)
    #expect(record["isWiped"] as? Bool == true)
    for folder in ["library", "copy"] {
      let left = world.scratch.files(below: folder)
      #expect(left.filter { $0.contains("renditions/") }.isEmpty, "\(left)")
      for name in left {
        let bytes = FileManager.default.contents(atPath: world.scratch(folder).text + "/" + name) ?? Data()
        #expect(bytes.range(of: Data("IMG_00".utf8)) == nil, "\(folder)/\(name)")
      }
    }
    #expect(try run(["verify", "--copy", copy]).status == 0)
  }

  @Test("R-TRAY-8: a library knows by its digests that two files have the same content, and no decoder is asked")
  func sameContent() throws {
    let (image, copy) = (world.tree.appending("IMG_0001.jpg".utf8), world.tree.appending("copy.jpg".utf8))
    try FileManager.default.copyItem(atPath: image.text, toPath: copy.text)
    try world.scan(["--renditions", "grid", "--digest"])
    let output = try runWithoutDecoders(["tray", "--library", world.library, "--select", image, copy, "--json"])
    #expect(output.status == 2)
    #expect(output.errors == "mediatool: copy.jpg is a duplicate of \(image.text)\n")
  }

  @Test("R-TRAY-2: a tray of a library shows the current state of a file, and follows no link that has replaced it")
  func changedSince() throws {
    let photo = world.tree.text + "/IMG_0001.jpg"
    #expect(unlink(photo) == 0)
    try Data(ScanWorld.image).write(to: URL(fileURLWithPath: photo))
    #expect(unlink(world.tree.text + "/IMG_0002.jpg") == 0)
    #expect(symlink(world.tree.text + "/IMG_0010.jpg", world.tree.text + "/IMG_0002.jpg") == 0)
    func cells() throws -> [String: [String: Any]] {
      var found: [String: [String: Any]] = [:]
      for cell in try run(["tray", "--json"]).records.first?["cells"] as? [[String: Any]] ?? [] {
        found[((cell["path"] as? String ?? "") as NSString).lastPathComponent] = cell
      }
      return found
    }
    let shown = try cells()
    #expect(shown["IMG_0001.jpg"]?["takenAt"] == nil)
    #expect(shown["IMG_0001.jpg"] != nil)
    #expect(shown["IMG_0002.jpg"] == nil)
    // No image any more.
    try Data("a text\n".utf8).write(to: URL(fileURLWithPath: photo))
    #expect(try cells()["IMG_0001.jpg"] == nil)
  }
}

extension Day {
  /// The day in UTC that holds a second.
  fileprivate static func text(_ seconds: Int) -> String {
    String(Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601).prefix(10))
  }
}
