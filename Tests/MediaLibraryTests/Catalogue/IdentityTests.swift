internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Recognising files") struct IdentityTests {
  private let test: TestLibrary
  private var catalogue: any MediaCatalogue & ScanIndex { test.catalogue }

  init() throws { test = try TestLibrary() }

  private func standing(_ stamp: FileStamp) throws -> KnownFile.Standing {
    try #require(catalogue.standings(of: [stamp]).first)
  }

  @Test("A rename keeps the row and all its data; the previous file at the new path becomes vanished") func moved()
    throws
  {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, digest: 1),
      TestLibrary.done("/r/b.jpg", inode: 2, second: 1_001, digest: 2),
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
    #expect(file.id == a)
    #expect(file.title == "kept")
    #expect(file.digest == TestLibrary.digest(1))
    #expect(try catalogue.file(b)?.state == .vanished)
    #expect(try catalogue.file(b)?.path == "/r/b.jpg", "where it was last")
    // It turns up: two files have changed their names with each other.
    let other = TestLibrary.stamp("/r/a.jpg", inode: 2, second: 1_001)
    guard case .elsewhere(let back) = try standing(other) else {
      Issue.record("a vanished file is not found by its number")
      return
    }
    #expect(back.id == b)
    #expect(back.state == .vanished)
    #expect(back.stateBefore == .done)
    try catalogue.apply([.moved(b, to: other)])
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg"))?.id == b)
    #expect(try catalogue.file(b)?.state == .done)
  }

  @Test("A mismatch of name and content is removed when a new name has another extension") func mismatch() throws {
    var info = TestLibrary.photo()
    info.mismatch = MediaInfo.Mismatch(declared: "png", by: .extension, class: .format)
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
    let files = try TestLibrary.all { try catalogue.newest(.all, after: $0, limit: 10) }
    #expect(Set(files.map(\.path)) == ["/r/a.jpg", "/q/b.jpg", "/q/c.jpg"])
    for file in files {
      #expect(try catalogue.renditions(of: file.id) == [rendition])
      #expect(file.digest == TestLibrary.digest(9))
    }
    #expect(
      try catalogue.file(at: PathBytes("/q/b.jpg"))?.location == Location(latitude: 3, longitude: 4, source: .file))
    let groups = try catalogue.duplicates(in: .all, after: nil, limit: 10).groups
    #expect(groups.map(\.files) == [3])
    #expect(groups.first?.digest == TestLibrary.digest(9))
    let sharing = try catalogue.files(sharingContentWith: known.id, after: nil, limit: 10).files
    #expect(Set(sharing.map(\.path)) == Set(files.map(\.path)))
  }

  @Test("A file with changed content keeps its row and labels, and loses the facts of the old content")
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
    #expect(file.state == .new)
    #expect(file.digest == nil)
    #expect(file.location == nil)
    #expect(file.owner == "ann")
    #expect(try file.info() == nil)
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, second: 2_000, digest: 2)])
    file = try #require(try catalogue.file(id))
    #expect(file.state == .done)
    #expect(file.digest == TestLibrary.digest(2))
    #expect(file.collection == "trip")
    #expect(try catalogue.knownFile(of: TestLibrary.digest(1)!) == nil, "nobody has the old content")
  }

  @Test("Finding an unchanged file again changes nothing") func discoveredAgain() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, digest: 1)])
    try catalogue.apply([.discovered(TestLibrary.stamp("/r/a.jpg", inode: 1))])
    #expect(try catalogue.file(at: PathBytes("/r/a.jpg"))?.state == .done)
  }

  @Test("A disk with another device number than at its scan has the same files") func otherDevice() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1), TestLibrary.done("/r/b.jpg", inode: 2)])
    var stamp = TestLibrary.stamp("/r/a.jpg", inode: 1)
    stamp.device = 8
    guard case .unchanged(let a) = try standing(stamp) else {
      Issue.record("not unchanged")
      return
    }
    #expect(try a.id == test.id("/r/a.jpg"))
    stamp = TestLibrary.stamp("/r/c.jpg", inode: 2)
    stamp.device = 8
    guard case .elsewhere(let b) = try standing(stamp) else {
      Issue.record("not known by its number")
      return
    }
    #expect(try b.id == test.id("/r/b.jpg"))
  }

  @Test("Of several files with one inode number, the one on the same device is used") func sameNumber() throws {
    var other = TestLibrary.stamp("/q/a.jpg", inode: 1)
    other.device = 9
    try catalogue.apply([
      .done(other, FileResult(info: TestLibrary.photo(), engine: "e")), TestLibrary.done("/r/a.jpg", inode: 1),
    ])
    guard case .elsewhere(let known) = try standing(TestLibrary.stamp("/r/b.jpg", inode: 1)) else {
      Issue.record("not known by its number")
      return
    }
    #expect(known.stamp.path.description == "/r/a.jpg")
  }

  @Test("If files of equal size and time have swapped inode numbers, none is taken for another") func renumbered()
    throws
  {
    // A series of images on a FAT disk, which was mounted once more.
    try catalogue.apply([
      TestLibrary.done("/r/a.raw", inode: 1, digest: 1), TestLibrary.done("/r/b.raw", inode: 2, digest: 2),
    ])
    guard case .changed(let known) = try standing(TestLibrary.stamp("/r/a.raw", inode: 2)) else {
      Issue.record("taken for another")
      return
    }
    #expect(try known.id == test.id("/r/a.raw"))
  }

  @Test("A vanished file is the first candidate for its content at another path") func byDigest() throws {
    try catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, digest: 1), TestLibrary.done("/r/b.jpg", inode: 2, digest: 1),
      TestLibrary.done("/r/c.jpg", inode: 3, digest: 1),
    ])
    let digest = try #require(TestLibrary.digest(1))
    #expect(try catalogue.knownFile(of: digest)?.state == .done)
    try catalogue.apply([.quarantined(test.id("/r/a.jpg"), reason: "r")])
    #expect(try catalogue.knownFile(of: digest)?.state == .done, "nobody is to see what is linked to the other")
    try catalogue.apply([.vanished(test.id("/r/c.jpg"))])
    #expect(try catalogue.knownFile(of: digest)?.id == test.id("/r/c.jpg"))
  }

  @Test("A copy without a capture time has the time of its own last write") func timeOfCopies()
    throws
  {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, second: 1_000, digest: 1)])
    try catalogue.apply([.linked(test.id("/r/a.jpg"), to: TestLibrary.stamp("/r/b.jpg", inode: 2, second: 2_000))])
    #expect(try catalogue.file(test.id("/r/b.jpg"))?.time == 2_000)
    try catalogue.apply([.moved(test.id("/r/a.jpg"), to: TestLibrary.stamp("/r/a.jpg", inode: 1, second: 3_000))])
    #expect(try catalogue.file(test.id("/r/a.jpg"))?.time == 3_000)
    try catalogue.apply([TestLibrary.done("/r/t.jpg", inode: 5, second: 1_000, taken: 77, digest: 2)])
    try catalogue.apply([.linked(test.id("/r/t.jpg"), to: TestLibrary.stamp("/r/u.jpg", inode: 6, second: 2_000))])
    #expect(try catalogue.file(test.id("/r/u.jpg"))?.time == 77)
  }

  @Test("A recognised content is its file at a new path, a copy of it, or a new file if no file has it any more")
  func recognized() throws {
    let digest = try #require(TestLibrary.digest(1))
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1, digest: 1)])
    let a = try test.id("/r/a.jpg")
    try catalogue.setText(of: a, title: "kept", caption: nil)
    try catalogue.apply([.recognized(TestLibrary.stamp("/q/a.jpg", inode: 5), digest, from: a)])
    #expect(try catalogue.file(at: PathBytes("/q/a.jpg"))?.title == "kept")
    #expect(try catalogue.file(a)?.path == "/q/a.jpg")
    // Written once more with the same bytes.
    try catalogue.apply([.recognized(TestLibrary.stamp("/q/a.jpg", inode: 6, second: 9), digest, from: nil)])
    #expect(try catalogue.file(a)?.stamp.inode == 6)
    #expect(try catalogue.file(a)?.digest == digest)
    try catalogue.apply([.recognized(TestLibrary.stamp("/q/b.jpg", inode: 7), digest, from: nil)])
    #expect(try catalogue.file(test.id("/q/b.jpg"))?.digest == digest)
    #expect(try catalogue.file(a)?.path == "/q/a.jpg")
    // Its row went to another content in the same batch.
    try catalogue.apply([
      TestLibrary.done("/q/a.jpg", inode: 8, second: 10, digest: 2),
      TestLibrary.done("/q/b.jpg", inode: 9, second: 10, digest: 3),
      .recognized(TestLibrary.stamp("/q/c.jpg", inode: 6, second: 9), digest, from: a),
      .folderDone(PathBytes("/q"), fingerprint: 5),
    ])
    #expect(try catalogue.file(a)?.path == "/q/a.jpg")
    #expect(try catalogue.file(test.id("/q/c.jpg"))?.state == .new)
    #expect(try catalogue.knownFolder(PathBytes("/q"))?.fingerprint == nil, "a folder with new files is not done")
    #expect(try test.library.verify().isIntact)
  }
}
