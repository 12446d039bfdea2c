internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Queries and changes of a scan") struct ScanTests {
  private let test: TestLibrary
  private var catalogue: any MediaCatalogue & ScanIndex { test.catalogue }

  init() throws { test = try TestLibrary() }

  private func standing(_ stamp: FileStamp) throws -> KnownFile.Standing {
    try #require(catalogue.standings(of: [stamp]).first)
  }

  @Test("An examined file is found by its path, with all its data") func done() throws {
    let path = PathBytes(Array("/r/ph".utf8) + [0xFF, 0x0A] + Array("to.jpg".utf8))
    let stamp = FileStamp(
      path: path, device: .max, inode: .max - 1, size: 5, modified: -1, changed: 4_000_000_000_000_000_000)
    var info = TestLibrary.photo(taken: 500, at: (1.5, -2.5))
    (info.make, info.altitude, info.width, info.height) = ("Maker", 12, 40, 30)
    info.mismatch = MediaInfo.Mismatch(declared: "png", by: .extension, class: .format)
    let address = try test.library.store.put([1, 2, 3])
    let rendition = StoredRendition(
      name: "grid", address: address, type: .webp, width: 4, height: 3, bytes: 3, from: .image)
    let placeholder = Placeholder(thumbhash: "t", blurhash: "b", color: "#010203")
    try catalogue.apply([
      .done(
        stamp,
        FileResult(
          info: info, digest: TestLibrary.digest(1), placeholder: placeholder, renditions: [rendition], engine: "e1",
          recipe: "grid"))
    ])

    let file = try #require(try catalogue.file(at: path))
    #expect(file.stamp == stamp)
    #expect(file.state == .done)
    #expect(file.kind == .image)
    #expect(file.time == 500)
    #expect(file.timeSource == .exif)
    #expect(file.location == Location(latitude: 1.5, longitude: -2.5, altitude: 12, source: .file))
    #expect(file.digest == TestLibrary.digest(1))
    #expect(file.placeholder == placeholder)
    #expect(file.engine == "e1")
    info.sha256 = TestLibrary.digest(1)?.description
    #expect(try file.info() == info, "R-TRAY-8: the digest too")
    #expect(try catalogue.renditions(of: file.id) == [rendition])
    #expect(try catalogue.file(file.id)?.stamp == stamp)
    guard case .unchanged(let known) = try standing(stamp) else {
      Issue.record("not unchanged")
      return
    }
    #expect(known.id == file.id)
    #expect(known.state == .done)
    #expect(known.engine == "e1")
    #expect(known.recipe == "grid")
    #expect(try catalogue.knownFile(of: TestLibrary.digest(1)!)?.id == file.id)
  }

  @Test(
    "R-MYM-7: a file's time is its capture time, unless the camera's clock was ahead of the file's; then its last write"
  )
  func time() throws {
    var stamp = TestLibrary.stamp("/r/a.jpg", inode: 1, second: 1_000)
    stamp.changed = 2_000_000_000_000
    func time(taken: Int?) throws -> (Int, String)? {
      try catalogue.apply([.done(stamp, FileResult(info: TestLibrary.photo(taken: taken), engine: "e"))])
      return try catalogue.file(at: stamp.path).map { ($0.time, $0.timeSource.rawValue) }
    }
    #expect(try #require(try time(taken: 500)) == (500, "exif"))
    #expect(try #require(try time(taken: 2_000 + 86_400)) == (2_000 + 86_400, "exif"))
    #expect(try #require(try time(taken: 2_000 + 86_401)) == (1_000, "file"))
    #expect(try #require(try time(taken: nil)) == (1_000, "file"))
    stamp.modified = -1
    #expect(try #require(try time(taken: nil)) == (-1, "file"))
  }

  @Test("R-MYM-6: a missing location is nil, and so is one out of range")
  func noLocation() throws {
    var odd = TestLibrary.photo()
    (odd.latitude, odd.longitude) = (91, 0)
    try catalogue.apply([
      TestLibrary.done("/r/none.jpg", inode: 1),
      .done(TestLibrary.stamp("/r/odd.jpg", inode: 2), FileResult(info: odd, engine: "e")),
      TestLibrary.done("/r/zero.jpg", inode: 3, at: (0, 0)),
    ])
    #expect(try catalogue.file(at: PathBytes("/r/none.jpg"))?.location == nil)
    #expect(try catalogue.file(at: PathBytes("/r/odd.jpg"))?.location == nil)
    #expect(
      try catalogue.file(at: PathBytes("/r/zero.jpg"))?.location != nil, "a stated zero location is a location")
  }

  @Test("R-MYM-27: a library that stores no locations has none, not even in facts") func withoutLocations() throws {
    let test = try TestLibrary(keepsLocations: false)
    try test.catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, at: (1.2345678, 2))])
    let file = try #require(try test.catalogue.file(at: PathBytes("/r/a.jpg")))
    #expect(file.location == nil)
    #expect(try file.info()?.latitude == nil)
    #expect(try file.info()?.kind == .image)
    try test.library.close()
    let data = try Data(contentsOf: URL(fileURLWithPath: test.folder.path("data/catalogue.sqlite")))
    #expect(data.range(of: Data("1.2345678".utf8)) == nil)
  }

  @Test("R-MYM-28: the facts for others have no location, no device and no digest") func others() {
    var info = TestLibrary.photo(taken: 5, at: (1, 2))
    (info.altitude, info.make, info.model) = (3, "a", "b")
    info.sha256 = String(repeating: "0", count: 64)
    #expect(info.forOthers == TestLibrary.photo(taken: 5))
  }

  @Test("R-MYM-5, R-MYM-6: a location that a user has set or removed stays so in every scan")
  func setLocation()
    throws
  {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1)), TestLibrary.done("/r/b.jpg", inode: 2, at: (1, 1)),
    ])
    let (a, b) = (try test.id("/r/a.jpg"), try test.id("/r/b.jpg"))
    let location = Location(latitude: 5, longitude: 6, source: .device)
    try catalogue.setLocation(of: a, location)
    try catalogue.setLocation(of: b, nil)
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, second: 2, at: (1, 1)),
      TestLibrary.done("/r/b.jpg", inode: 2, second: 2, at: (1, 1)),
    ])
    #expect(try catalogue.file(a)?.location == location)
    #expect(try catalogue.file(b)?.location == nil)
  }

  @Test("A folder keeps its fingerprint until something else than a scan changes it") func fingerprint() throws {
    let folder = PathBytes("/r")
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1), .folderDone(folder, fingerprint: .max - 3)])
    #expect(try catalogue.knownFolder(folder)?.fingerprint == .max - 3)
    try catalogue.setText(of: test.id("/r/a.jpg"), title: "t", caption: nil)
    #expect(try catalogue.knownFolder(folder)?.fingerprint != nil, "what people say is no matter of a scan")
    for change in [
      CatalogueChange.vanished(try test.id("/r/a.jpg")), .returned(try test.id("/r/a.jpg")),
      TestLibrary.done("/r/b.jpg", inode: 2),
      .moved(try test.id("/r/a.jpg"), to: TestLibrary.stamp("/q/a.jpg", inode: 1)),
    ] {
      try catalogue.apply([.folderDone(folder, fingerprint: 1)])
      try catalogue.apply([change])
      #expect(try catalogue.knownFolder(folder)?.fingerprint == nil, "\(change)")
    }
    try catalogue.apply([.folderDone(PathBytes("/q"), fingerprint: 1)])
    try test.library.erase(.file(test.id("/q/a.jpg")))
    #expect(try catalogue.knownFolder(PathBytes("/q"))?.fingerprint == nil)
  }

  @Test("Known files and folders are listed in pages, in the order of their bytes") func known() throws {
    let names = ["b", "a", "ä", "c.d", "c"]
    try catalogue.apply(
      names.enumerated().map { TestLibrary.done("/r/\($1)", inode: UInt64($0)) }
        + [
          TestLibrary.done("/r/c/x", inode: 9), TestLibrary.done("/r/c/d/y", inode: 10),
          TestLibrary.done("/rr/z", inode: 11),
        ])
    var found: [String] = []
    var after: [UInt8]?
    while let last = try catalogue.knownFiles(in: PathBytes("/r"), after: after, limit: 2).last {
      let page = try catalogue.knownFiles(in: PathBytes("/r"), after: after, limit: 2)
      found += page.map { String(decoding: $0.stamp.path.name, as: UTF8.self) }
      after = last.stamp.path.name
    }
    #expect(found == ["a", "b", "c", "c.d", "ä"])
    func folders(_ path: String) throws -> [String] {
      var found: [String] = []
      var after: PathBytes?
      while true {
        let page = try catalogue.knownFolders(under: PathBytes(path), after: after, limit: 1)
        guard let last = page.last else { return found }
        found += page.map(\.path.description)
        after = last.path
      }
    }
    #expect(try folders("/r") == ["/r", "/r/c", "/r/c/d"])
    #expect(try folders("/") == ["/r", "/r/c", "/r/c/d", "/rr"])
    #expect(try folders("/r/c") == ["/r/c", "/r/c/d"])
    #expect(try folders("/none").isEmpty)
  }

  @Test("A batch is applied completely or not at all") func batch() throws {
    var invalid = StoredRendition(
      name: "grid", address: TestLibrary.digest(3)!, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    invalid.address = "no digest"
    #expect(throws: LibraryError.self) {
      try catalogue.apply([
        TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1)),
        TestLibrary.done("/r/b.jpg", inode: 2, renditions: [invalid]),
      ])
    }
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg")) == nil)
    #expect(try catalogue.counts(in: .all).isEmpty)
    #expect(try catalogue.locations(in: .world, zoom: 1, of: .all).clusters.isEmpty)
  }

  @Test("A file that was erased while a scan moved or linked it is a new file, and the batch is applied")
  func erasedDuringScan() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1), digest: 1), TestLibrary.done("/r/b.jpg", inode: 2, digest: 2),
    ])
    let (moved, linked) = (try test.id("/r/a.jpg"), try test.id("/r/b.jpg"))
    try test.library.moderation.quarantine([moved], reason: "rude", by: "mod", at: 1)
    _ = try test.library.erase(.files([moved, linked]), wiping: false)
    try catalogue.apply([
      .moved(moved, to: TestLibrary.stamp("/q/a.jpg", inode: 1)),
      .linked(linked, to: TestLibrary.stamp("/q/b.jpg", inode: 2)),
      TestLibrary.done("/q/c.jpg", inode: 3), .folderDone(PathBytes("/q"), fingerprint: 1),
      .vanished(moved), .returned(linked), .quarantined(moved, reason: "r"), .released(linked),
    ])
    for path in ["/q/a.jpg", "/q/b.jpg"] {
      let file = try #require(try catalogue.file(at: PathBytes(path)))
      #expect(file.state == .new)
      #expect(![moved, linked].contains(file.id))
      #expect(file.location == nil)
      #expect(try test.library.moderation.standing(of: file.id)?.isHidden == false)
    }
    #expect(try catalogue.file(at: PathBytes("/q/c.jpg"))?.state == .done)
    #expect(try catalogue.knownFolder(PathBytes("/q"))?.fingerprint == nil, "the next scan examines them")
    #expect(try test.library.verify().isIntact)
  }

  @Test("A rendition that is not in the store is not linked, and the file counts as lacking it")
  func notStored()
    throws
  {
    let missing = StoredRendition(
      name: "grid", address: TestLibrary.digest(3)!, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, renditions: [missing])])
    #expect(try catalogue.renditions(of: test.id("/r/a.jpg")).isEmpty)
    #expect(try catalogue.knownFiles(in: PathBytes("/r"), after: nil, limit: 1).first?.recipe == "")
  }

  @Test("An interrupted scan has no end time") func runs() throws {
    #expect(try catalogue.lastScan() == nil)
    let run = try catalogue.beginScan(of: [PathBytes("/r"), PathBytes("/q")], at: 10)
    #expect(try catalogue.lastScan() == run)
    #expect(run.roots == [PathBytes("/q"), PathBytes("/r")])
    #expect(run.finished == nil)
    try catalogue.finishScan(run, at: 20)
    #expect(try catalogue.lastScan()?.finished == 20)
  }
}
