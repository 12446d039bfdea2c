internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import TestSupport
internal import Testing

extension LibraryVerbTests {
  @Test("R-MYM-22: a damaged byte is found, and repaired or removed")
  func verify() throws {
    #expect(try run(["verify"]).status == 0)
    let files = world.scratch.files(below: "library/renditions").filter { !$0.contains("/.") }
    let victim = try #require(files.first)
    let path = "\(world.library.text)/renditions/\(victim)"
    chmod(path, 0o644)
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
    let result = try run(["verify"])
    #expect(result.status == 1)
    #expect(try result.records.first?["code"] as? String == "renditionDamaged")
    #expect(try run(["verify", "--repair"]).status == 0)
    #expect(try run(["verify"]).status == 0)
    // The next scan makes it again.
    #expect(try world.scan(["--renditions", "grid"]).records.contains { $0["state"] as? String != "unchanged" })
    #expect(try run(["verify"]).status == 0)
  }

  @Test("verify --part takes more bytes than 31 bits can count, as in its example") func largePart() throws {
    let result = try run(["verify", "--part", "50000000000"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("which is complete"))
    #expect(try run(["verify", "--part", "0"]).status == 64)
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: world.library.text + "/catalogue.sqlite")
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
  }

  @Test("R-MYM-23: one damaged row costs find and tray that row; verify names it, repair and a scan bring it back")
  func damagedRow() throws {
    try change(
      "UPDATE content SET facts = x'00FF00' WHERE id = (SELECT content FROM file WHERE name = CAST('IMG_0002.jpg' AS BLOB))"
    )
    let found = try run(["find", "--json"])
    #expect(found.status == 1)
    #expect(try Set(names(found)) == ["IMG_0001.jpg", "VID_0008.mp4", "notes.txt"])
    #expect(found.errors.contains("IMG_0002.jpg"))
    #expect(found.errors.contains("mediatool verify --repair"))
    #expect(try run(["find", "img_0001", "--json"]).status == 0)
    #expect(try run(["tray", "--json"]).status == 1)
    let verified = try run(["verify"])
    #expect(verified.status == 1)
    #expect(try verified.records.compactMap { $0["code"] as? String } == ["catalogueRow"])
    #expect(try run(["verify", "--repair"]).status == 0)
    #expect(try run(["verify"]).status == 0)
    try world.scan(["--renditions", "grid", "--digest"])
    #expect(try names(run(["find", "--json"])).count == 4)
  }

  @Test("R-MYM-23: a dropped index is named by every command, and created again by a repair") func droppedIndex() throws
  {
    try change("DROP INDEX file_newest")
    let found = try run(["find"])
    #expect(found.status == 70)
    #expect(found.errors.contains("file_newest"))
    #expect(found.errors.contains("mediatool verify --repair"))
    let verified = try run(["verify"])
    #expect(verified.status == 1)
    #expect(try verified.records.first?["code"] as? String == "catalogueSchema")
    #expect(try run(["verify", "--repair"]).status == 0)
    #expect(try names(run(["find", "--json"])).count == 4)
  }

  @Test("R-MYM-23: a missing or damaged catalogue is rebuilt, and the next scan decodes nothing again")
  func rebuild() throws {
    let copy = world.scratch("copy")
    #expect(try run(["verify", "--copy", copy, "--repair"]).status == 0)
    let before = try names(run(["find", "--json"]))
    try Data("no database at all, but long enough to be looked at".utf8).write(
      to: URL(fileURLWithPath: world.library.text + "/catalogue.sqlite"))
    #expect(try run(["verify"]).status == 70)
    // How much newer the catalogue is than the snapshot cannot be known.
    let asked = try run(["verify", "--rebuild", "--copy", copy])
    #expect(asked.status == 64)
    #expect(asked.errors.contains("is unknown"), "\(asked.errors)")
    #expect(asked.errors.contains("--yes"), "\(asked.errors)")
    #expect(try run(["verify", "--rebuild", "--yes", "--copy", copy]).status == 0)
    #expect(try names(run(["find", "--json"])) == before)
    #expect(try Set(world.states(world.scan(["--renditions", "grid", "--digest"])).values) == ["unchanged"])
    #expect(access(world.library.text + "/catalogue.sqlite.damaged-1", F_OK) == 0)
    // Without a copy the folders say all.
    for name in ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite.damaged-1"] {
      unlink(world.library.text + "/" + name)
    }
    let missing = try world.scan()
    #expect(missing.status == 64)
    #expect(missing.errors.contains("mediatool verify --rebuild"), "\(missing.errors)")
    let lossy = try run(["verify", "--rebuild"])
    #expect(lossy.status == 64)
    #expect(lossy.errors.contains("The library has a copy"), "\(lossy.errors)")
    #expect(lossy.errors.contains("--yes"), "\(lossy.errors)")
    #expect(try run(["verify", "--rebuild", "--yes"]).status == 0)
    try world.scan(["--renditions", "grid", "--digest"])
    #expect(try names(run(["find", "--json"])) == before)
    #expect(try run(["verify"]).status == 0)
    let none = try Command.run(["verify", "--rebuild", "--library", world.scratch("none")])
    #expect(none.status == 64)
    #expect(world.scratch.files(below: "none").isEmpty)
  }

  @Test("R-MYM-23: a rebuild that may lose rows asks on a terminal, and changes nothing unless the answer is yes")
  func rebuildQuestion() throws {
    let copy = world.scratch("copy")
    #expect(try run(["verify", "--copy", copy, "--repair"]).status == 0)
    let catalogue = world.library.text + "/catalogue.sqlite"
    let damaged = Data("no database at all, but long enough to be looked at".utf8)
    try damaged.write(to: URL(fileURLWithPath: catalogue))
    for (typed, status) in [("n\n", 64), ("\u{4}", 64), ("y\n", 0)] as [(String, Int32)] {
      let terminal = try PseudoTerminal()
      let command = try Command(
        ["verify", "--rebuild", "--copy", copy, "--library", world.library], input: .file(terminal.path),
        errors: .file(terminal.path))
      try terminal.waitUntilShown("[y/N] ")
      try terminal.type(typed)
      #expect(try command.finish().status == status, "\(typed)")
      #expect(terminal.text().contains("is unknown"))
      #expect((FileManager.default.contents(atPath: catalogue) == damaged) == (status != 0))
      #expect((access(catalogue + ".damaged-1", F_OK) == 0) == (status == 0))
    }
  }

  @Test("R-MYM-23: a repair without the catalogue, or a rebuild from an empty copy, loses no row and no image")
  func nothingIsDestroyed() throws {
    let copy = world.scratch("copy")
    #expect(try run(["verify", "--copy", copy, "--repair"]).status == 0)
    let before = try names(run(["find", "--json"]))
    func images(_ folder: String) -> Set<String> {
      Set(world.scratch.files(below: folder).filter { $0.contains("renditions/") })
    }
    let kept = [images("library"), images("copy")]
    #expect(kept[0].count == 3)
    for suffix in ["", "-wal", "-shm"] { unlink(world.library.text + "/catalogue.sqlite" + suffix) }
    let repair = try run(["verify", "--repair", "--copy", copy])
    #expect(repair.status == 64)
    #expect(repair.errors.contains("verify --rebuild"), "\(repair.errors)")
    #expect([images("library"), images("copy")] == kept)

    // The disk of the copy is not mounted: its folder is empty.
    let unmounted = world.scratch("unmounted")
    #expect(rename(copy.text, unmounted.text) == 0)
    #expect(mkdir(copy.text, 0o700) == 0)
    for arguments in [["verify", "--rebuild", "--copy", copy], ["verify", "--rebuild", "--yes", "--copy", copy]] {
      let rebuild = try run(arguments)
      #expect(rebuild.status == 64)
      #expect(rebuild.errors.contains("mounted"), "\(rebuild.errors)")
    }
    #expect(try world.scan(["--copy", copy]).status == 64)
    #expect(world.scratch.files(below: "copy").isEmpty)
    #expect(rmdir(copy.text) == 0)
    #expect(rename(unmounted.text, copy.text) == 0)
    #expect(try run(["verify", "--rebuild", "--copy", copy]).status == 0)
    #expect(try names(run(["find", "--json"])) == before)
    #expect([images("library"), images("copy")] == kept)
    #expect(try run(["verify", "--copy", copy]).status == 0)
  }
}
