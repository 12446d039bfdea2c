internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("What a scan asks and says") struct ScanTests {
  private let test: TestLibrary
  private var catalogue: any MediaCatalogue { test.catalogue }

  init() throws { test = try TestLibrary() }

  private func standing(_ stamp: FileStamp) throws -> FileStanding {
    try #require(catalogue.standings(of: [stamp]).first)
  }

  @Test("A file that was looked into is known by its path, with everything that was said of it") func done() throws {
    let path = PathBytes(Array("/r/ph".utf8) + [0xFF, 0x0A] + Array("to.jpg".utf8))
    let stamp = FileStamp(
      path: path, device: .max, inode: .max - 1, size: 5, modified: -1, changed: 4_000_000_000_000_000_000)
    var info = TestLibrary.photo(taken: 500, at: (1.5, -2.5))
    (info.make, info.altitude, info.width, info.height) = ("Maker", 12, 40, 30)
    info.mismatch = Mismatch(declared: "png", by: .extension, class: .format)
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
    #expect(file.stamp == stamp && file.state == .done && file.kind == .image)
    #expect(file.time == 500 && file.timeSource == .exif)
    #expect(file.place == Place(latitude: 1.5, longitude: -2.5, altitude: 12, source: .file))
    #expect(file.digest == TestLibrary.digest(1) && file.placeholder == placeholder && file.engine == "e1")
    #expect(try file.info() == info)
    #expect(try catalogue.renditions(of: file.id) == [rendition])
    #expect(try catalogue.file(file.id)?.stamp == stamp)
    guard case .unchanged(let known) = try standing(stamp) else {
      Issue.record("not unchanged")
      return
    }
    #expect(known.id == file.id && known.state == .done && known.engine == "e1" && known.recipe == "grid")
    #expect(try catalogue.knownFile(of: TestLibrary.digest(1)!)?.id == file.id)
  }

  @Test("R-MYM-7: the time is the capture's, unless the camera's clock was ahead of the file's; then the last write's")
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

  @Test("R-MYM-6: a place that nobody knows is none, and one out of range is none either")
  func noPlace() throws {
    var odd = TestLibrary.photo()
    (odd.latitude, odd.longitude) = (91, 0)
    try catalogue.apply([
      TestLibrary.done("/r/none.jpg", inode: 1),
      .done(TestLibrary.stamp("/r/odd.jpg", inode: 2), FileResult(info: odd, engine: "e")),
      TestLibrary.done("/r/zero.jpg", inode: 3, at: (0, 0)),
    ])
    #expect(try catalogue.file(at: PathBytes("/r/none.jpg"))?.place == nil)
    #expect(try catalogue.file(at: PathBytes("/r/odd.jpg"))?.place == nil)
    #expect(
      try catalogue.file(at: PathBytes("/r/zero.jpg"))?.place != nil, "a stated zero place is a place (decision 5)")
  }

  @Test("R-MYM-27: a library that keeps no places has none, in facts neither") func withoutPlaces() throws {
    let test = try TestLibrary(keepsPlaces: false)
    try test.catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, at: (1.2345678, 2))])
    let file = try #require(try test.catalogue.file(at: PathBytes("/r/a.jpg")))
    #expect(try file.place == nil && file.info()?.latitude == nil && file.info()?.kind == .image)
    try test.library.close()
    let data = try Data(contentsOf: URL(fileURLWithPath: test.folder.path("data/catalogue.sqlite")))
    #expect(data.range(of: Data("1.2345678".utf8)) == nil)
  }

  @Test("R-MYM-28: what others are told has no place and no device") func others() {
    var info = TestLibrary.photo(taken: 5, at: (1, 2))
    (info.altitude, info.make, info.model) = (3, "a", "b")
    #expect(info.forOthers == TestLibrary.photo(taken: 5))
  }

  @Test("R-MYM-5, R-MYM-6: a place that somebody set stays over every scan, and so does taking one away")
  func setPlace()
    throws
  {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1)), TestLibrary.done("/r/b.jpg", inode: 2, at: (1, 1)),
    ])
    let (a, b) = (try test.id("/r/a.jpg"), try test.id("/r/b.jpg"))
    let place = Place(latitude: 5, longitude: 6, source: .device)
    try catalogue.setPlace(of: a, place)
    try catalogue.setPlace(of: b, nil)
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, second: 2, at: (1, 1)),
      TestLibrary.done("/r/b.jpg", inode: 2, second: 2, at: (1, 1)),
    ])
    #expect(try catalogue.file(a)?.place == place)
    #expect(try catalogue.file(b)?.place == nil)
  }

  @Test("A rename keeps the row and all that is known of it; what stood at the new path vanishes") func moved() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, digest: 1), TestLibrary.done("/r/b.jpg", inode: 2, digest: 2),
    ])
    let (a, b) = (try test.id("/r/a.jpg"), try test.id("/r/b.jpg"))
    try catalogue.setText(of: a, title: "kept", caption: nil)
    let stamp = TestLibrary.stamp("/r/b.jpg", inode: 1)
    guard case .elsewhere(let known) = try standing(stamp) else {
      Issue.record("not known by its number")
      return
    }
    #expect(known.id == a)
    try catalogue.apply([.moved(a, to: stamp)])
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg")) == nil)
    let file = try #require(try catalogue.file(at: PathBytes("/r/b.jpg")))
    #expect(file.id == a && file.title == "kept" && file.digest == TestLibrary.digest(1))
    #expect(try catalogue.file(b)?.state == .vanished)
    #expect(try catalogue.file(b)?.path == "/r/b.jpg", "where it was last")
    // It turns up: two files have changed their names with each other.
    let other = TestLibrary.stamp("/r/a.jpg", inode: 2)
    guard case .elsewhere(let back) = try standing(other) else {
      Issue.record("a vanished file is not found by its number")
      return
    }
    #expect(back.id == b && back.state == .vanished && back.stateBefore == .done)
    try catalogue.apply([.moved(b, to: other)])
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg"))?.id == b)
    #expect(try catalogue.file(b)?.state == .done)
  }

  @Test("A disagreement of name and content goes when the name ends otherwise") func mismatch() throws {
    var info = TestLibrary.photo()
    info.mismatch = Mismatch(declared: "png", by: .extension, class: .format)
    try catalogue.apply([.done(TestLibrary.stamp("/r/a.png", inode: 1), FileResult(info: info, engine: "e"))])
    let id = try test.id("/r/a.png")
    try catalogue.apply([.linked(id, to: TestLibrary.stamp("/r/b.PNG", inode: 1))])
    #expect(try catalogue.file(at: PathBytes("/r/b.PNG"))?.info()?.mismatch == info.mismatch)
    try catalogue.apply([.moved(id, to: TestLibrary.stamp("/r/a.jpg", inode: 1))])
    #expect(try catalogue.file(id)?.info()?.mismatch == nil)
  }

  @Test("The same content at two paths is stored once and listed twice") func linked() throws {
    let address = try test.library.store.put([1])
    let rendition = StoredRendition(
      name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, at: (3, 4), digest: 9, renditions: [rendition])])
    let known = try #require(try catalogue.knownFile(of: TestLibrary.digest(9)!))
    try catalogue.apply([.linked(known.id, to: TestLibrary.stamp("/q/b.jpg", inode: 2))])
    // A digest that is known joins them too.
    try catalogue.apply([TestLibrary.done("/q/c.jpg", inode: 3, digest: 9)])
    let files = try TestLibrary.all { try catalogue.newest(.all, in: nil, after: $0, limit: 10) }
    #expect(Set(files.map(\.path)) == ["/r/a.jpg", "/q/b.jpg", "/q/c.jpg"])
    for file in files {
      #expect(try catalogue.renditions(of: file.id) == [rendition])
      #expect(file.digest == TestLibrary.digest(9))
    }
    #expect(try catalogue.file(at: PathBytes("/q/b.jpg"))?.place == Place(latitude: 3, longitude: 4, source: .file))
    let groups = try catalogue.duplicates(after: nil, limit: 10).groups
    #expect(groups.map(\.files) == [3] && groups.first?.digest == TestLibrary.digest(9))
    let sharing = try catalogue.files(sharingContentWith: known.id, after: nil, limit: 10).files
    #expect(Set(sharing.map(\.path)) == Set(files.map(\.path)))
  }

  @Test("A file whose content changed keeps its row and labels, and loses what was known of the old content")
  func changed() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 2), digest: 1)])
    let id = try test.id("/r/a.jpg")
    try catalogue.assign([id], owner: "ann", collection: .named("trip"))
    let stamp = TestLibrary.stamp("/r/a.jpg", inode: 1, second: 2_000)
    guard case .changed(let known) = try standing(stamp) else {
      Issue.record("not changed")
      return
    }
    #expect(known.id == id)
    try catalogue.apply([.discovered(stamp)])
    var file = try #require(try catalogue.file(id))
    #expect(file.state == .new && file.digest == nil && file.place == nil && file.owner == "ann")
    #expect(try file.info() == nil)
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, second: 2_000, digest: 2)])
    file = try #require(try catalogue.file(id))
    #expect(file.state == .done && file.digest == TestLibrary.digest(2) && file.collection == "trip")
    #expect(try catalogue.knownFile(of: TestLibrary.digest(1)!) == nil, "nobody has the old content")
  }

  @Test("Seeing a file again that stands as it did takes nothing from it") func discoveredAgain() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, digest: 1)])
    try catalogue.apply([.discovered(TestLibrary.stamp("/r/a.jpg", inode: 1))])
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg"))?.state == .done)
  }

  @Test("A failed file has its code, and its attempts are counted for as long as it stands as it did") func failed()
    throws
  {
    let stamp = TestLibrary.stamp("/r/a.jpg", inode: 1)
    let failure = MediaFailure(.truncated, "It ends early.", detail: "eof")
    func fail(_ stamp: FileStamp, _ failure: MediaFailure) -> CatalogueChange {
      .failed(stamp, failure, info: nil, engine: "e1", recipe: "grid")
    }
    try catalogue.apply([fail(stamp, failure), fail(stamp, failure)])
    var file = try #require(try catalogue.file(at: stamp.path))
    #expect(file.state == .failed && file.failure == failure && file.attempts == 2 && file.engine == "e1")
    var later = stamp
    later.modified += 1
    try catalogue.apply([fail(later, MediaFailure(.corrupt, "It is broken."))])
    file = try #require(try catalogue.file(at: stamp.path))
    #expect(file.attempts == 1 && file.failure?.code == .corrupt)
    #expect(try catalogue.failures(code: .truncated, after: nil, limit: 10).files.isEmpty)
    #expect(try catalogue.failures(code: .corrupt, after: nil, limit: 10).files.map(\.id) == [file.id])
    guard case .unchanged(let known) = try standing(later) else {
      Issue.record("a failed file is not known")
      return
    }
    #expect(known.state == .failed && known.failure == .corrupt && known.engine == "e1")
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1)])
    file = try #require(try catalogue.file(at: stamp.path))
    #expect(file.state == .done && file.failure == nil && file.attempts == 0)
  }

  @Test("A file that failed keeps the facts that were found") func failedWithFacts() throws {
    var info = TestLibrary.photo(taken: 77, at: (1, 1))
    info.width = 9
    try catalogue.apply([
      .failed(
        TestLibrary.stamp("/r/a.jpg", inode: 1), MediaFailure(.truncated, "It ends early."), info: info, engine: "e",
        recipe: "")
    ])
    let file = try #require(try catalogue.file(at: PathBytes("/r/a.jpg")))
    #expect(try file.info()?.width == 9 && file.time == 77 && file.kind == .image)
    #expect(try catalogue.newest(.all, in: nil, after: nil, limit: 9).files.isEmpty, "what failed is in no listing")
    #expect(try catalogue.places(in: .world, zoom: 3, owner: nil).clusters.isEmpty)
  }

  @Test("R-TRAY-22: what vanished is in no listing, and comes back as it was") func vanished() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1)), TestLibrary.done("/r/s/b.jpg", inode: 2),
      TestLibrary.done("/r/s/t/c.jpg", inode: 3), TestLibrary.done("/r/s2/d.jpg", inode: 4),
    ])
    func listed() throws -> Set<String> {
      Set(try TestLibrary.all { try catalogue.newest(.photosAndVideos, in: nil, after: $0, limit: 2) }.map(\.path))
    }
    try catalogue.apply([.folderVanished(PathBytes("/r/s"))])
    #expect(try listed() == ["/r/a.jpg", "/r/s2/d.jpg"])
    let a = try test.id("/r/a.jpg")
    try catalogue.apply([.vanished(a), .vanished(a)])
    #expect(try listed() == ["/r/s2/d.jpg"])
    #expect(try catalogue.places(in: .world, zoom: 0, owner: nil).clusters.isEmpty)
    #expect(try catalogue.files(of: .vanished, after: nil, limit: 9).files.count == 3)
    try catalogue.apply([.returned(a)])
    #expect(try listed() == ["/r/a.jpg", "/r/s2/d.jpg"])
    #expect(try catalogue.places(in: .world, zoom: 0, owner: nil).clusters.map(\.count) == [1])
    try catalogue.apply([.folderVanished(PathBytes("/"))])
    #expect(try listed().isEmpty)
  }

  @Test("R-MYM-26: a quarantined file is in no listing; over a rename neither") func quarantined() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1))])
    let id = try test.id("/r/a.jpg")
    try catalogue.apply([.quarantined(id, reason: "reported")])
    #expect(try catalogue.newest(.all, in: nil, after: nil, limit: 9).files.isEmpty)
    #expect(try catalogue.files(under: PathBytes("/r"), after: nil, limit: 9).files.isEmpty)
    #expect(try catalogue.search("a", after: nil, limit: 9).files.isEmpty)
    try catalogue.apply([.moved(id, to: TestLibrary.stamp("/r/y.jpg", inode: 1)), .returned(id)])
    #expect(try catalogue.file(id)?.state == .quarantined)
    try catalogue.apply([.linked(id, to: TestLibrary.stamp("/r/copy.jpg", inode: 1))])
    #expect(try catalogue.file(at: PathBytes("/r/copy.jpg"))?.state == .quarantined)
    try catalogue.apply([.vanished(id), .returned(id)])
    #expect(try catalogue.file(id)?.state == .quarantined)
    try catalogue.apply([.moved(id, to: TestLibrary.stamp("/r/z.jpg", inode: 1))])
    #expect(try catalogue.file(id)?.state == .quarantined)
    #expect(try catalogue.file(id)?.failure?.message == "reported")
    try catalogue.apply([.released(id)])
    #expect(try catalogue.file(id)?.state == .new)
    #expect(try catalogue.file(id)?.failure == nil)
  }

  @Test("A folder's fingerprint stands until something in it changes otherwise") func fingerprint() throws {
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
    try test.library.forget(.file(test.id("/q/a.jpg")))
    #expect(try catalogue.knownFolder(PathBytes("/q"))?.fingerprint == nil)
  }

  @Test("Files and folders that are known are given in pages, in the order of their bytes") func known() throws {
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

  @Test("A batch is made whole or not at all") func batch() throws {
    #expect(throws: LibraryError.self) {
      try catalogue.apply([
        TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1)),
        .moved(FileID(rawValue: 99), to: TestLibrary.stamp("/r/b.jpg", inode: 2)),
      ])
    }
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg")) == nil)
    #expect(try catalogue.counts().isEmpty && catalogue.places(in: .world, zoom: 1, owner: nil).clusters.isEmpty)
  }

  @Test("A rendition whose bytes are not in the store is not taken over, and the file is seen to lack it")
  func notStored()
    throws
  {
    let missing = StoredRendition(
      name: "grid", address: TestLibrary.digest(3)!, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, renditions: [missing])])
    #expect(try catalogue.renditions(of: test.id("/r/a.jpg")).isEmpty)
    #expect(try catalogue.knownFiles(in: PathBytes("/r"), after: nil, limit: 1).first?.recipe == "")
  }

  @Test("A scan that was cut off is seen to be") func runs() throws {
    #expect(try catalogue.lastScan() == nil)
    let run = try catalogue.beginScan(of: [PathBytes("/r"), PathBytes("/q")], at: 10)
    #expect(try catalogue.lastScan() == run)
    #expect(run.roots == [PathBytes("/q"), PathBytes("/r")] && run.finished == nil)
    try catalogue.finishScan(run, at: 20)
    #expect(try catalogue.lastScan()?.finished == 20)
  }

  @Test("Files are counted by state, kind and failure, over every change") func counts() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1), TestLibrary.done("/r/b.mp4", inode: 2, type: MediaType("video/mp4")),
      .discovered(TestLibrary.stamp("/r/c", inode: 3, size: 11)),
      .failed(TestLibrary.stamp("/r/d", inode: 4), MediaFailure(.empty, "."), info: nil, engine: "", recipe: ""),
    ])
    func counts() throws -> Set<String> {
      Set(
        try catalogue.counts().map {
          "\($0.state) \($0.kind?.rawValue ?? "-") \($0.failure?.rawValue ?? "-") \($0.files) \($0.bytes)"
        })
    }
    #expect(
      try counts() == ["done image - 1 5", "done video - 1 5", "new - - 1 11", "failed - empty 1 5"])
    try catalogue.apply([
      .vanished(test.id("/r/d")), TestLibrary.done("/r/c", inode: 3),
      .linked(test.id("/r/a.jpg"), to: TestLibrary.stamp("/r/e", inode: 1)),
    ])
    #expect(try counts() == ["done image - 3 15", "done video - 1 5", "vanished - - 1 5"])
    try test.library.forget(.vanished)
    #expect(try counts() == ["done image - 3 15", "done video - 1 5"])
  }
}
