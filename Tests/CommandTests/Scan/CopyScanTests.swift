internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("A scan with a copy") struct CopyScanTests {
  let world: ScanWorld
  var copy: PathBytes { world.scratch("copy") }

  init() throws { world = try ScanWorld() }

  /// The names of the snapshots in the copy.
  private func snapshots() throws -> [String] {
    guard FileManager.default.fileExists(atPath: copy.text) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: copy.text).filter { $0.hasPrefix("catalogue-") }.sorted()
  }

  @Test(
    "R-MYM-22: a scan that changed something backs up the catalogue, another one does not, and three snapshots stay")
  func snapshotsOfScans() throws {
    try world.write("a.txt", 0)
    #expect(try world.scan(["--copy", copy, "--dry-run"]).status == 0)
    #expect(try snapshots() == [])
    #expect(try world.scan(["--copy", copy]).status == 0)
    #expect(try snapshots() == ["catalogue-000001.sqlite"])
    #expect(try world.scan(["--copy", copy]).status == 0)
    #expect(try snapshots() == ["catalogue-000001.sqlite"], "nothing has changed")
    for number in 1...3 {
      try world.write("\(number).txt", number)
      #expect(try world.scan(["--copy", copy]).status == 0)
    }
    #expect(try snapshots() == (2...4).map { "catalogue-00000\($0).sqlite" })
    #expect(try world.scan().status == 0, "no copy is named")
    #expect(try snapshots().count == 3)
  }

  @Test("R-MYM-23: a catalogue that is lost after a scan with a copy comes back from there, with its captions")
  func catalogueComesBack() throws {
    try world.write("a.txt", 0)
    try world.scan(["--copy", copy])
    var library = try Library.open(at: LibraryLocation(folder: world.library), for: .writing)
    let path = world.tree.appending("a.txt".utf8)
    let file = try #require(try library.catalogue.file(at: path))
    try library.catalogue.setText(of: file.id, title: nil, caption: "kept")
    try library.close()
    try world.write("b.txt", 1)
    try world.scan(["--copy", copy])
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: world.library.text + "/catalogue.sqlite" + suffix)
    }
    let rebuilt = try Command.run(["verify", "--rebuild", "--copy", copy, "--library", world.library])
    #expect(rebuilt.status == 0, "\(rebuilt.errors)")
    library = try world.open()
    #expect(try library.catalogue.file(at: path)?.caption == "kept")
    try library.close()
  }

  @Test("R-MYM-22: originals that a service stored without a copy are in the copy after a scan with one")
  func originalsOfService() throws {
    try world.write("a.txt", 0)
    try world.scan()
    let location = LibraryLocation(folder: world.library)
    let library = try Library.open(at: location, for: .writing)
    let stamp = try library.keepOriginal(at: world.tree.appending("a.txt".utf8), owner: "ada")
    let info = MediaInfo(type: .plainText, bytes: Int(stamp.size))
    try library.scanIndex.apply([.done(stamp, FileResult(info: info, engine: "test"))])
    try library.close()
    #expect(try world.scan(["--copy", copy]).status == 0)
    let inside = stamp.path.bytes.dropFirst(location.originals.bytes.count + 1)
    let copied = copy.appending("originals".utf8).appending(inside)
    let original = try #require(FileManager.default.contents(atPath: stamp.path.description))
    #expect(FileManager.default.contents(atPath: copied.description) == original)
    #expect(try snapshots() == ["catalogue-000001.sqlite"])
  }
}
