internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Listings") struct ListingTests {
  private let test: TestLibrary
  private var catalogue: any MediaCatalogue & ScanIndex { test.catalogue }

  init() throws { test = try TestLibrary() }

  /// Files of all kinds in three folders, many of the same second.
  private func fill(_ count: Int, seed: UInt64) throws -> [(path: String, time: Int, type: MediaType)] {
    var random = SeededGenerator(seed: seed)
    let types: [MediaType] = [.jpeg, .png, MediaType("video/mp4"), MediaType("audio/mpeg"), .pdf]
    var files: [(path: String, time: Int, type: MediaType)] = []
    for index in 0..<count {
      let folder = ["/r", "/r/in", "/r/in/deep"][random.below(3)]
      files.append(("\(folder)/IMG_\(index).x", 1_000 + random.below(count / 4), types[random.below(types.count)]))
    }
    try catalogue.apply(
      files.enumerated().map {
        TestLibrary.done($1.path, inode: UInt64($0 + 1), taken: $1.time, type: $1.type)
      })
    return files
  }

  /// The order of a tray: newest first, of the same second the greater name first.
  private func ordered(_ files: [(path: String, time: Int, type: MediaType)]) -> [String] {
    files.sorted { one, other in
      let (a, b) = (PathBytes(one.path).name, PathBytes(other.path).name)
      return one.time != other.time ? one.time > other.time : b.lexicographicallyPrecedes(a)
    }.map(\.path)
  }

  private func paths(_ scope: CatalogueScope, in times: Range<Int>? = nil, limit: Int = 7) throws -> [String] {
    try TestLibrary.all { try catalogue.newest(scope.during(times), after: $0, limit: limit) }.map(\.path)
  }

  @Test(
    "R-TRAY-2: the newest files first, in pages that together are the whole, for any scope",
    arguments: [1, 2, 3] as [UInt64])
  func newest(seed: UInt64) throws {
    let files = try fill(120, seed: seed)
    let visual = files.filter { $0.type.kind == .image || $0.type.kind == .video }
    #expect(try paths(.photosAndVideos) == ordered(visual), "seed \(seed)")
    #expect(
      try catalogue.newest(.photosAndVideos, after: nil, limit: 50).files.map(\.path)
        == Array(ordered(visual).prefix(50)), "seed \(seed)")
    #expect(try paths(.all) == ordered(files))
    for kind in MediaKind.allCases {
      #expect(try paths(.kind(kind)) == ordered(files.filter { $0.type.kind == kind }), "\(kind)")
    }
    for folder in ["/r", "/r/in", "/r/in/deep", "/none"] {
      let inside = files.filter { PathBytes($0.path).folder == PathBytes(folder) }
      #expect(try paths(.folder(PathBytes(folder))) == ordered(inside), "\(folder)")
    }
    for times in [1_003..<1_011, 0..<1_005, 1_020..<99_999, 5..<6] {
      #expect(try paths(.all, in: times) == ordered(files.filter { times.contains($0.time) }), "\(times)")
      #expect(
        try paths(.kind(.image), in: times)
          == ordered(files.filter { times.contains($0.time) && $0.type.kind == .image }), "\(times)")
    }
    let under = try TestLibrary.all { try catalogue.files(under: PathBytes("/r/in"), after: $0, limit: 7) }.map(\.path)
    let expected = files.map(\.path).filter { PathBytes($0).isInside(PathBytes("/r/in")) }
      .sorted { (PathBytes($0).folder, PathBytes($0)) < (PathBytes($1).folder, PathBytes($1)) }
    #expect(under == expected)
    #expect(try TestLibrary.all { try catalogue.files(under: PathBytes("/"), after: $0, limit: 1_000) }.count == 120)
  }

  @Test("R-TRAY-17, R-TRAY-18: an empty library gives an empty page, a small one all its files") func few() throws {
    let none = try catalogue.newest(.photosAndVideos, after: nil, limit: 50)
    #expect(none.files.isEmpty)
    #expect(none.next == nil)
    try catalogue.apply((1...3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0)) })
    let some = try catalogue.newest(.photosAndVideos, after: nil, limit: 50)
    #expect(some.files.count == 3)
    #expect(some.next == nil)
    #expect(try catalogue.newest(.photosAndVideos, after: nil, limit: 3).next == nil)
  }

  @Test("R-TRAY-21: a photo just taken is first, and open listings continue at their position") func insertion() throws
  {
    _ = try fill(60, seed: 4)
    let first = try catalogue.newest(.all, after: nil, limit: 10)
    let rest = try paths(.all).dropFirst(10)
    try catalogue.apply([TestLibrary.done("/r/new.jpg", inode: 999, taken: 2_000)])
    #expect(try catalogue.newest(.photosAndVideos, after: nil, limit: 50).files.first?.path == "/r/new.jpg")
    try test.library.erase(.file(first.files[9].id))
    let next = try TestLibrary.all { try catalogue.newest(.all, after: $0 ?? first.next, limit: 7) }
    #expect(next.map(\.path) == Array(rest))
  }

  @Test("A cursor is untrusted input") func cursors() throws {
    _ = try fill(30, seed: 5)
    let good = try #require(try catalogue.newest(.all, after: nil, limit: 5).next)
    for word in [
      "", "t", "t.1", "t.x.1.", "t.1.2.zz", "t.1.2.abc", "i.1.", "p.1.2.", String(repeating: "9", count: 99),
    ] {
      let cursor = CatalogueFile.Cursor(rawValue: word)
      #expect(throws: LibraryError.self, "\(word)") { try catalogue.newest(.all, after: cursor, limit: 5) }
    }
    #expect(throws: LibraryError.self) { try catalogue.search("x", in: .all, after: good, limit: 5) }
    #expect(throws: LibraryError.self) { try catalogue.files(under: PathBytes("/r"), after: good, limit: 5) }
    #expect(try catalogue.newest(.all, after: good, limit: 5).files.count == 5)
    #expect(throws: LibraryError.self) { try catalogue.files(of: .done, after: nil, limit: 5) }
  }

  @Test("A call returns at most a thousand rows") func bounded() throws {
    _ = try fill(1_100, seed: 6)
    #expect(try catalogue.newest(.all, after: nil, limit: .max).files.count == 1_000)
    #expect(try catalogue.newest(.all, after: nil, limit: -5).files.count == 1)
    #expect(try catalogue.knownFiles(in: PathBytes("/r"), after: nil, limit: .max).count <= 1_000)
  }

  @Test("Failures are listed by code, and all together, in pages") func failures() throws {
    let codes: [MediaFailure.Code] = [.truncated, .corrupt, .empty]
    try catalogue.apply(
      (0..<20).map { index in
        .failed(
          TestLibrary.stamp("/r/\(index)", inode: UInt64(index)), MediaFailure(codes[index % 3], "No."), info: nil,
          engine: "e", recipe: "")
      })
    for (index, code) in codes.enumerated() {
      let files = try TestLibrary.all { try catalogue.failures(code: code, after: $0, limit: 2) }
      #expect(files.map(\.path) == stride(from: index, to: 20, by: 3).map { "/r/\($0)" })
    }
    let all = try TestLibrary.all { try catalogue.failures(code: nil, after: $0, limit: 3) }
    #expect(all.map { $0.failure?.code.rawValue ?? "" } == all.map { $0.failure?.code.rawValue ?? "" }.sorted())
    #expect(Set(all.map(\.path)).count == 20)
  }

  @Test("Duplicates are listed with the largest first") func duplicates() throws {
    func done(_ path: String, _ inode: UInt64, _ digest: Int, bytes: Int) -> CatalogueChange {
      .done(
        TestLibrary.stamp(path, inode: inode),
        FileResult(info: MediaInfo(type: .jpeg, bytes: bytes), digest: TestLibrary.digest(digest), engine: "e"))
    }
    try catalogue.apply([
      done("/r/a", 1, 1, bytes: 10), done("/r/b", 2, 1, bytes: 10), done("/r/c", 3, 2, bytes: 99),
      done("/r/d", 4, 3, bytes: 50), done("/r/e", 5, 3, bytes: 50), done("/r/f", 6, 3, bytes: 50),
      done("/r/g", 7, 4, bytes: 10), done("/r/h", 8, 4, bytes: 10),
    ])
    var groups: [CatalogueFile.Duplicates] = []
    var cursor: CatalogueFile.Cursor?
    repeat {
      let page = try catalogue.duplicates(in: .all, after: cursor, limit: 1)
      groups += page.groups
      cursor = page.next
    } while cursor != nil
    #expect(groups.map(\.bytes) == [50, 10, 10])
    #expect(groups.map(\.files) == [3, 2, 2])
    try test.library.erase(.file(test.id("/r/b")))
    #expect(
      try catalogue.duplicates(in: .all, after: nil, limit: 9).groups.map(\.digest) == [3, 4].map(TestLibrary.digest))
  }

  @Test("R-MYM-17: search finds names, titles and captions by the beginnings of words, regardless of case and accents")
  func search()
    throws
  {
    try catalogue.apply([
      TestLibrary.done("/r/IMG_0042.jpg", inode: 1), TestLibrary.done("/r/Été à Nîmes.jpg", inode: 2),
      TestLibrary.done("/secret/c.jpg", inode: 3),
    ])
    try catalogue.setText(of: test.id("/secret/c.jpg"), title: "Zum Geburtstag", caption: "cake \" AND NOT (")
    func found(_ text: String) throws -> [String] {
      try TestLibrary.all { try catalogue.search(text, in: .all, after: $0, limit: 1) }.map(\.path)
    }
    #expect(try found("0042") == ["/r/IMG_0042.jpg"])
    #expect(try found("img 00") == ["/r/IMG_0042.jpg"])
    #expect(try found("nimes ete") == ["/r/Été à Nîmes.jpg"])
    #expect(try found("GEBURTS") == ["/secret/c.jpg"])
    #expect(try found("cake") == ["/secret/c.jpg"])
    #expect(try found("cake birthday").isEmpty)
    #expect(try found("secret").isEmpty)
    #expect(
      try found("jpg") == ["/secret/c.jpg", "/r/Été à Nîmes.jpg", "/r/IMG_0042.jpg"], "of one time the last first")
    for text in [
      "", "   ", "\"", "—", "rome — \u{1F408}", "“rome”", "a\" OR \"b", "*", "NEAR(", "^", "name:x", "\0", "-jpg OR",
    ] {
      _ = try found(text)
    }
    try catalogue.setText(of: test.id("/secret/c.jpg"), title: nil, caption: nil)
    #expect(try found("cake").isEmpty)
    try catalogue.apply([.moved(test.id("/r/IMG_0042.jpg"), to: TestLibrary.stamp("/r/other.jpg", inode: 1))])
    #expect(try found("0042").isEmpty)
    #expect(try found("other") == ["/r/other.jpg"])
  }

  @Test("R-MYM-18: files are added to the open collection, which is listed with its count, by name and by time")
  func collections()
    throws
  {
    try catalogue.apply((1...6).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0) })
    let ids = try (1...6).map { try test.id("/r/\($0).jpg") }
    try catalogue.openCollection("rome", owner: "ann", title: "Rome", at: 10)
    try catalogue.assign(Array(ids[0...1]), owner: "ann", collection: .open)
    try catalogue.openCollection("oslo", owner: "ann", title: nil, at: 20)
    try catalogue.assign([ids[2]], owner: "ann", collection: .open)
    try catalogue.openCollection("rome", owner: "bob", title: nil, at: 5)
    try catalogue.assign([ids[3]], owner: "bob", collection: .open)
    try catalogue.closeCollection(of: "ann")
    try catalogue.assign([ids[4]], owner: "ann", collection: .open)

    func list(_ order: MediaCollection.Order) throws -> [MediaCollection] {
      var found: [MediaCollection] = []
      var cursor: CatalogueFile.Cursor?
      repeat {
        let page = try catalogue.collections(of: "ann", by: order, after: cursor, limit: 1)
        found += page.collections
        cursor = page.next
      } while cursor != nil
      return found
    }
    #expect(try list(.started).map(\.name) == ["oslo", "rome"])
    let byName = try list(.name)
    #expect(byName.map(\.name) == ["oslo", "rome"])
    #expect(byName.map(\.files) == [1, 2])
    try #require(byName.map(\.isOpen) == [false, false])
    #expect(byName[1].title == "Rome")
    #expect(byName[1].owner == "ann")
    #expect(try paths(.collection("rome", owner: "ann")) == ["/r/2.jpg", "/r/1.jpg"])
    #expect(try paths(.collection("rome", owner: "bob")) == ["/r/4.jpg"])
    #expect(try paths(.owner("ann"), in: 2..<6) == ["/r/5.jpg", "/r/3.jpg", "/r/2.jpg"])
    #expect(try paths(.owner("nobody")).isEmpty)
    #expect(try paths(.collection("x", owner: "ann")).isEmpty)

    // Resumed, edited; and a file goes to another, then to nobody.
    try catalogue.openCollection("rome", owner: "ann", title: nil, at: 99)
    try catalogue.setTitle("Roma", ofCollection: "rome", owner: "ann")
    try catalogue.assign([ids[2]], owner: "ann", collection: .open)
    try #require(try list(.name).map(\.files) == [0, 3])
    #expect(try list(.name)[1].title == "Roma")
    #expect(try list(.name)[1].isOpen)
    #expect(try list(.name)[1].started == 10)
    try catalogue.assign([ids[2]], owner: "bob", collection: .unchanged)
    #expect(try catalogue.file(ids[2])?.collection == nil, "a collection is its owner's")
    try catalogue.assign([ids[0]], owner: nil, collection: .none)
    #expect(try paths(.owner("ann")) == ["/r/5.jpg", "/r/2.jpg"])
    #expect(throws: LibraryError.self) { try catalogue.setTitle("x", ofCollection: "none", owner: "ann") }
    #expect(throws: LibraryError.self) { try catalogue.assign([FileID(rawValue: 77)], owner: "ann", collection: .open) }
  }

  @Test(
    "R-MYM-17: matches come newest first, in whatever order the files were added",
    arguments: [1, 2, 3] as [UInt64])
  func searchOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var times: [String: Int] = [:]
    for _ in 0..<4 {
      try catalogue.apply(
        (0..<40).compactMap { _ in
          let number = random.below(90)
          let time = [random.below(1_000) - 500, -9_000_000_000, 3_000_000_000][random.below(20) / 9]
          times["/r/img \(number).jpg"] = time
          return TestLibrary.done(
            "/r/img \(number).jpg", inode: UInt64(number + 1), second: Int64(random.below(99)), taken: time)
        })
      let victim = try #require(times.keys.sorted().first { _ in random.below(3) == 0 })
      try catalogue.apply([.vanished(test.id(victim))])
      times[victim] = nil
      let other = try #require(times.keys.sorted().last)
      try catalogue.setText(of: test.id(other), title: "img again", caption: nil)
    }
    let found = try TestLibrary.all { try catalogue.search("im", in: .all, after: $0, limit: 7) }
    #expect(Set(found.map(\.path)) == Set(times.keys), "seed \(seed)")
    #expect(found.count == times.count, "seed \(seed)")
    #expect(found.map(\.time) == times.values.sorted(by: >), "seed \(seed)")
    #expect(try test.library.verify().isIntact)
  }
}
