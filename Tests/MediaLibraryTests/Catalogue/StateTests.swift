internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("The state of a file") struct StateTests {
  private let test: TestLibrary
  private var catalogue: any MediaCatalogue & ScanIndex { test.catalogue }

  init() throws { test = try TestLibrary() }

  private func standing(_ stamp: FileStamp) throws -> KnownFile.Standing {
    try #require(catalogue.standings(of: [stamp]).first)
  }

  @Test("A failed file has its code, and its attempts are counted while it is unchanged") func failed()
    throws
  {
    let stamp = TestLibrary.stamp("/r/a.jpg", inode: 1)
    let failure = MediaFailure(.truncated, "It ends early.", detail: "eof")
    func fail(_ stamp: FileStamp, _ failure: MediaFailure) -> CatalogueChange {
      .failed(stamp, failure, info: nil, engine: "e1", recipe: "grid")
    }
    try catalogue.apply([fail(stamp, failure), fail(stamp, failure)])
    var file = try #require(try catalogue.file(at: stamp.path))
    #expect(file.state == .failed)
    #expect(file.failure == failure)
    #expect(file.attempts == 2)
    #expect(file.engine == "e1")
    var later = stamp
    later.modified += 1
    try catalogue.apply([fail(later, MediaFailure(.corrupt, "It is broken."))])
    file = try #require(try catalogue.file(at: stamp.path))
    #expect(file.attempts == 1)
    #expect(file.failure?.code == .corrupt)
    #expect(try catalogue.failures(code: .truncated, after: nil, limit: 10).files.isEmpty)
    #expect(try catalogue.failures(code: .corrupt, after: nil, limit: 10).files.map(\.id) == [file.id])
    guard case .unchanged(let known) = try standing(later) else {
      Issue.record("a failed file is not known")
      return
    }
    #expect(known.state == .failed)
    #expect(known.failure == .corrupt)
    #expect(known.engine == "e1")
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1)])
    file = try #require(try catalogue.file(at: stamp.path))
    #expect(file.state == .done)
    #expect(file.failure == nil)
    #expect(file.attempts == 0)
  }

  @Test("A draft is kept until the next scan: the file has no recipe; of a camera raw the preview is all there is")
  func drafts() throws {
    let address = try test.library.store.put(Array("a small image".utf8))
    for (number, (type, source, recipe)) in [
      (MediaType.jpeg, Rendition.Source.image, "grid"), (.jpeg, .embedded, ""),
      (MediaType("image/x-nikon-nef"), .embedded, "grid"), (MediaType("text/vcard"), .embedded, "grid"),
    ].enumerated() {
      let stamp = TestLibrary.stamp("/r/\(number)", inode: UInt64(number + 1))
      let rendition = StoredRendition(
        name: "grid", address: address, type: .webp, width: 8, height: 6, bytes: 13, from: source)
      // New, and known.
      for _ in 0..<2 {
        try catalogue.apply([
          .done(
            stamp,
            FileResult(info: TestLibrary.photo(type: type), renditions: [rendition], engine: "e1", recipe: "grid"))
        ])
        guard case .unchanged(let known) = try standing(stamp) else {
          Issue.record("a file is not known")
          continue
        }
        #expect(known.recipe == recipe, "\(type) \(source)")
        #expect(try catalogue.renditions(of: known.id).map(\.from) == [source])
      }
    }
  }

  @Test("A failed file keeps the facts that were found") func failedWithFacts() throws {
    var info = TestLibrary.photo(taken: 77, at: (1, 1))
    info.width = 9
    try catalogue.apply([
      .failed(
        TestLibrary.stamp("/r/a.jpg", inode: 1), MediaFailure(.truncated, "It ends early."), info: info, engine: "e",
        recipe: "")
    ])
    let file = try #require(try catalogue.file(at: PathBytes("/r/a.jpg")))
    #expect(try file.info()?.width == 9)
    #expect(file.time == 77)
    #expect(file.kind == .image)
    #expect(try catalogue.newest(.all, after: nil, limit: 9).files.isEmpty, "what failed is in no listing")
    #expect(try catalogue.locations(in: .world, zoom: 3, of: .all).clusters.isEmpty)
  }

  @Test("R-TRAY-22: a vanished file is in no listing, and comes back unchanged") func vanished() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1)), TestLibrary.done("/r/s/b.jpg", inode: 2),
      TestLibrary.done("/r/s/t/c.jpg", inode: 3), TestLibrary.done("/r/s2/d.jpg", inode: 4),
    ])
    func listed() throws -> Set<String> {
      Set(try TestLibrary.all { try catalogue.newest(.photosAndVideos, after: $0, limit: 2) }.map(\.path))
    }
    try catalogue.apply([.folderVanished(PathBytes("/r/s"))])
    #expect(try listed() == ["/r/a.jpg", "/r/s2/d.jpg"])
    let a = try test.id("/r/a.jpg")
    try catalogue.apply([.vanished(a), .vanished(a)])
    #expect(try listed() == ["/r/s2/d.jpg"])
    #expect(try catalogue.locations(in: .world, zoom: 0, of: .all).clusters.isEmpty)
    #expect(try catalogue.files(of: .vanished, after: nil, limit: 9).files.count == 3)
    try catalogue.apply([.returned(a)])
    #expect(try listed() == ["/r/a.jpg", "/r/s2/d.jpg"])
    #expect(try catalogue.locations(in: .world, zoom: 0, of: .all).clusters.map(\.count) == [1])
    try catalogue.apply([.folderVanished(PathBytes("/"))])
    #expect(try listed().isEmpty)
  }

  @Test("R-MYM-26: a quarantined file is no duplicate, and no example of one", arguments: [nil, "ann"] as [String?])
  func quarantinedDuplicates(owner: String?) throws {
    let scope = CatalogueScope(owner: owner)
    try catalogue.apply((1...5).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), digest: $0 < 4 ? 1 : 2) })
    let ids = try (1...5).map { try test.id("/r/\($0).jpg") }
    try catalogue.assign(ids, owner: "ann", collection: .none)
    func groups() throws -> [CatalogueFile.Duplicates] {
      try catalogue.duplicates(in: scope, after: nil, limit: 9).groups
    }
    #expect(try Set(groups().map(\.files)) == [3, 2])
    try catalogue.apply([.quarantined(ids[0], reason: "r"), .quarantined(ids[3], reason: "r")])
    #expect(try groups().map(\.files) == [2], "one copy alone is no duplicate")
    let example = try #require(try groups().first?.example)
    #expect(example == ids[1])
    let sharing = try catalogue.files(sharingContentWith: example, in: scope, after: nil, limit: 9).files
    #expect(sharing.map(\.id) == [ids[1], ids[2]])
    try catalogue.apply([.released(ids[0])])
    #expect(try groups().map(\.files) == [3])
  }

  @Test("R-MYM-26: a quarantined file is in no listing, also after a rename") func quarantined() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, at: (1, 1))])
    let id = try test.id("/r/a.jpg")
    try catalogue.apply([.quarantined(id, reason: "reported")])
    #expect(try catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    #expect(try catalogue.files(under: PathBytes("/r"), after: nil, limit: 9).files.isEmpty)
    #expect(try catalogue.search("a", in: .all, after: nil, limit: 9).files.isEmpty)
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
    // Its facts are known, so it is shown at once; the next scan examines it.
    #expect(try catalogue.file(id)?.state == .done)
    #expect(try catalogue.file(id)?.failure == nil)
  }

  @Test("R-MYM-26: a file that is added again stays quarantined, and one can be added quarantined") func addedAgain()
    throws
  {
    let info = MediaInfo(type: .jpeg, bytes: 5)
    var file = AddedFile(
      path: PathBytes("/r/a.jpg"), modified: 1, received: 1, result: FileResult(info: info, engine: "e"))
    let id = try #require(try catalogue.add([file]).first)
    try catalogue.apply([.quarantined(id, reason: "reported")])
    #expect(try catalogue.add([file]) == [id])
    #expect(try catalogue.file(id)?.state == .quarantined)
    #expect(try catalogue.file(id)?.failure?.message == "reported")
    (file.path, file.quarantine) = (PathBytes("/r/b.jpg"), "known")
    let other = try #require(try catalogue.add([file]).first)
    #expect(try catalogue.file(other)?.state == .quarantined)
    #expect(try catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    try catalogue.apply([.released(id)])
    file.quarantine = nil
    file.path = PathBytes("/r/a.jpg")
    _ = try catalogue.add([file])
    #expect(try catalogue.file(id)?.state == .done)
  }

  @Test("Files are counted by state, kind and failure through every change") func counts() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1), TestLibrary.done("/r/b.mp4", inode: 2, type: MediaType("video/mp4")),
      .discovered(TestLibrary.stamp("/r/c", inode: 3, size: 11)),
      .failed(TestLibrary.stamp("/r/d", inode: 4), MediaFailure(.empty, "."), info: nil, engine: "", recipe: ""),
    ])
    func counts() throws -> Set<String> {
      Set(
        try catalogue.counts(in: .all).map {
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
    try test.library.erase(.vanished)
    #expect(try counts() == ["done image - 3 15", "done video - 1 5"])
  }

  @Test("Sparse files of exabytes are counted without overflow, and the library stays intact") func hugeFiles() throws {
    let huge: Int64 = 7_000_000_000_000_000_000
    try catalogue.apply(
      (1...3).map { .discovered(TestLibrary.stamp("/r/\($0)", inode: UInt64($0), size: huge)) })
    #expect(try catalogue.counts(in: .all).map(\.files) == [3])
    #expect(try catalogue.counts(in: .all).allSatisfy { $0.bytes > 0 })
    #expect(try test.library.verify().isIntact)
    try catalogue.apply([.vanished(test.id("/r/1")), .vanished(test.id("/r/2"))])
    #expect(try test.library.verify().isIntact)
    try test.library.erase(.vanished)
    #expect(try catalogue.counts(in: .all).map(\.files) == [1])
    #expect(try test.library.verify().isIntact)
  }

  @Test("A file that is replaced a thousand times does not stop a scan") func manyDisplaced() throws {
    // As of a camera that renames each image to the same name: each loses its path to the next.
    for round in 0..<11 {
      try catalogue.apply(
        (0..<100).map { TestLibrary.done("/r/new\($0)", inode: UInt64(round * 100 + $0 + 1)) })
      for number in 0..<100 {
        let inode = UInt64(round * 100 + number + 1)
        try catalogue.apply([
          .moved(test.id("/r/new\(number)"), to: TestLibrary.stamp("/r/latest.jpg", inode: inode))
        ])
      }
    }
    try catalogue.apply([TestLibrary.done("/r/z.jpg", inode: 9_999)])
    var names: [String] = []
    var after: [UInt8]?
    for _ in 0..<5 {
      let page = try catalogue.knownFiles(in: PathBytes("/r"), after: after, limit: 1_000)
      names += page.filter { $0.state != .vanished }.map { String(decoding: $0.stamp.path.name, as: UTF8.self) }
      guard page.count == 1_000, let last = page.last else { break }
      after = last.stamp.path.name
    }
    #expect(names == ["latest.jpg", "z.jpg"])
  }
}
