internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Retries of failed files") struct ScanRetryTests {
  let world: ScanWorld

  init() throws {
    world = try ScanWorld()
    try world.write("a/good.txt", 1)
    let broken = try world.write("b/broken.jpg", 1, isImage: true)
    try Data(ScanWorld.image.prefix(400)).write(to: URL(fileURLWithPath: broken))
    #expect(try world.scan(["--renditions", "grid"]).status == 1)
  }

  @Test("A failure is tried again once with other decoders") func otherDecoders() throws {
    #expect(try Set(world.states(world.scan(["--renditions", "grid"])).values) == ["unchanged"])
    try DatabaseQueue(path: "\(world.library.text)/catalogue.sqlite").write { db in
      // As if the last scan had been one of older decoders.
      try db.execute(sql: "UPDATE word SET text = 'libvips 1.0' WHERE text LIKE 'libvips%' OR text LIKE '%, %'")
    }
    let again = try world.scan(["--renditions", "grid"])
    #expect(try world.states(again)["b/broken.jpg"] == "retried")
    #expect(try world.states(again)["a/good.txt"] == "unchanged")
    let failures = try Command.run(["scan", "--failures", "--library", world.library, "--json"]).records
    #expect(failures.first?["attempts"] as? Int == 2)
    #expect(failures.first?["engine"] as? String != "libvips 1.0")
    #expect(try Set(world.states(world.scan(["--renditions", "grid"])).values) == ["unchanged"])
  }

  @Test("Failures in other folders start no decoder") func elsewhere() throws {
    let alone = try world.commandWithoutDecoders()
    let output = try alone.run([
      "scan", world.tree.text + "/a", "--library", world.library.text, "--renditions", "grid",
    ])
    #expect(output.status == 0, "\(output.errors)")
    // Here it has to be known which decoders there are, and this program has none.
    #expect(
      try alone.run(["scan", world.tree.text, "--library", world.library.text, "--renditions", "grid"]).status == 70)
  }

  @Test("A known failure starts no worker while its program is unchanged") func sameDecoders() throws {
    let alone = try world.commandWithoutDecoders()
    let (worker, starts) = (world.scratch("alone/mediatool-worker").text, world.scratch("starts").text)
    let real = (Command.executable as NSString).deletingLastPathComponent + "/mediatool-worker"
    // Not written by this process: see the command above.
    let script = "#!/bin/sh\nprintf x >>'\(starts)'\nexec '\(real)' \"$@\"\n"
    let shell = try Tool("sh", package: "dash")
    let written = try shell.run(["-c", "printf %s \"$1\" >\"$2\" && chmod 755 \"$2\"", "sh", script, worker])
    #expect(written.status == 0, "\(written.errors)")
    func expectStarts(_ count: Int) throws {
      let output = try alone.run([
        "scan", world.tree.text, "--library", world.library.text, "--renditions", "grid",
      ])
      #expect(output.status == 0, "\(output.errors)")
      #expect(FileManager.default.contents(atPath: starts)?.count ?? 0 == count)
    }
    // The library knows the version of another program.
    try expectStarts(1)
    try expectStarts(1)
    // Another time, and so perhaps another program.
    var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 1_000, tv_usec: 0)]
    #expect(utimes(worker, &times) == 0)
    try expectStarts(2)
    try expectStarts(2)
  }
}
