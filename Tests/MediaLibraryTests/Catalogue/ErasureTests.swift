internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Erasing") struct ErasureTests {
  /// Every file of a library that holds some bytes, the log of the database included.
  func files(of test: TestLibrary, holding text: String) throws -> [String] {
    var found: [String] = []
    for path in FileManager.default.subpaths(atPath: test.folder.url.path) ?? [] {
      if path.utf8.contains(Array(text.utf8)) { found.append("the name \(path)") }
      guard let data = FileManager.default.contents(atPath: test.folder.path(path)) else { continue }
      if let range = data.range(of: Data(text.utf8)) {
        let around = data[max(data.startIndex, range.lowerBound - 40)..<min(data.endIndex, range.upperBound + 40)]
        found.append("\(path) at \(range.lowerBound): \(String(decoding: around, as: UTF8.self))")
      }
    }
    return found
  }

  @Test(
    "R-MYM-12, R-MYM-24: no data of an erased owner can be read, the log included, and no data of others is lost",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func nothingIsLeft(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestLibrary(copy: true)
    // Words of a length that splits and merges pages, in an order that mixes the owners.
    for round in 0..<4 {
      var changes: [CatalogueChange] = []
      var owners: [(path: String, owner: String)] = []
      for index in 0..<150 {
        let owner = ["ann", "bob"][random.below(2)]
        let word = owner == "ann" ? "zebra" : "okapi"
        let filler = String(repeating: "\(word)f", count: 1 + random.below(12))
        let path = "/\(word)dir\(random.below(9))/\(word)\(round)x\(index)\(filler).jpg"
        let address = try test.library.store.put(Array("\(word) image \(round) \(index % 70)".utf8))
        var info = TestLibrary.photo(taken: random.below(10_000), at: (Double(random.below(80)), 10))
        (info.make, info.title) = ("\(word)maker", "\(word)title\(filler)")
        changes.append(
          .done(
            TestLibrary.stamp(path, inode: UInt64(round * 1_000 + index)),
            FileResult(
              info: info, digest: TestLibrary.digest(round * 1_000 + index),
              placeholder: Placeholder(thumbhash: "\(word)hash", blurhash: "\(word)blur", color: "#000000"),
              renditions: [
                StoredRendition(
                  name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
              ], engine: "e")))
        owners.append((path, owner))
      }
      try test.catalogue.apply(changes)
      for (path, owner) in owners {
        let id = try test.id(path)
        try test.catalogue.assign([id], owner: "\(owner)zz", collection: .named("trip \(random.below(3))"))
        if owner == "ann" { try test.catalogue.assign([id], owner: "zebraowner", collection: .named("zebratrip")) }
        let word = owner == "ann" ? "zebra" : "okapi"
        try test.catalogue.setText(of: id, title: "\(word)said", caption: String(repeating: "\(word)words ", count: 9))
      }
      // Rows that move about within the files of the database.
      for (path, owner) in owners where random.below(4) == 0 {
        let word = owner == "ann" ? "zebra" : "okapi"
        try test.catalogue.apply([
          .moved(test.id(path), to: TestLibrary.stamp("/\(word)moved/\(random.next()).jpg", inode: random.next()))
        ])
      }
    }
    let photo = try test.folder.write(Array("a zebra photo".utf8), to: "upload")
    let original = try test.library.keepOriginal(at: PathBytes(photo), owner: "zebraowner")
    try FileManager.default.removeItem(atPath: photo)
    try test.catalogue.apply([.done(original, FileResult(info: TestLibrary.photo(), engine: "e"))])
    let id = try #require(try test.catalogue.file(at: original.path)).id
    try test.catalogue.assign([id], owner: "zebraowner", collection: .none)
    try test.library.backUp()
    #expect(try !files(of: test, holding: "zebra").isEmpty, "the search itself")
    let others = try TestLibrary.all { try test.catalogue.newest(.owner("bobzz"), after: $0, limit: 999) }

    // What came to be nobody's on the way, by changes of content, is not here; but rows of the owner that vanished are.
    try test.catalogue.apply([.vanished(id)])
    let report = try test.library.erase(.owner("zebraowner"))
    try test.library.erase(.owner("annzz"))
    #expect(report.files > 100)
    #expect(report.originals == 1)
    #expect(report.originalBytes == 13)
    #expect(report.isWiped)
    #expect(report.collections == 1)
    #expect(report.renditions > 0)
    let left = try files(of: test, holding: "zebra")
    #expect(left == [], "seed \(seed): \(left)")
    #expect(try test.catalogue.newest(.owner("zebraowner"), after: nil, limit: 9).files.isEmpty)
    let kept = try TestLibrary.all { try test.catalogue.newest(.owner("bobzz"), after: $0, limit: 999) }
    #expect(kept.map(\.id) == others.map(\.id))
    #expect(!kept.isEmpty)
    for file in kept { #expect(try test.catalogue.renditions(of: file.id).count == 1) }
    #expect(try test.library.verify().isIntact, "seed \(seed)")

    var nothing = ErasureRequest.Report()
    nothing.isWiped = true
    #expect(try test.library.erase(.owner("zebraowner")) == nothing, "a second time there is nothing")
  }

  @Test("An erased file's rendition stays while another file has it; an original outside the library stays") func file()
    throws
  {
    let test = try TestLibrary()
    let original = try test.folder.write([1, 2], to: "elsewhere/a.jpg")
    let address = try test.library.store.put([1])
    let rendition = StoredRendition(
      name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    try test.catalogue.apply([
      TestLibrary.done(original, inode: 1, digest: 1, renditions: [rendition]),
      TestLibrary.done("/r/b.jpg", inode: 2, digest: 2, renditions: [rendition]),
    ])
    var report = try test.library.erase(.file(test.id(original)))
    #expect(report.files == 1)
    #expect(report.renditions == 0)
    #expect(report.originals == 0)
    #expect(FileManager.default.fileExists(atPath: original))
    #expect(try test.library.store.contains(address))
    report = try test.library.erase(.file(test.id("/r/b.jpg")))
    #expect(report.files == 1)
    #expect(report.renditions == 1)
    #expect(try !test.library.store.contains(address))
    #expect(try test.library.erase(.file(FileID(rawValue: 1))).files == 0)
  }

  @Test("Erasing a collection erases its files, and no other collection of that name") func collection() throws {
    let test = try TestLibrary()
    try test.catalogue.apply((1...4).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0)) })
    let ids = try (1...4).map { try test.id("/r/\($0).jpg") }
    try test.catalogue.assign(Array(ids[0...1]), owner: "ann", collection: .named("rome"))
    try test.catalogue.assign([ids[2]], owner: "ann", collection: .none)
    try test.catalogue.assign([ids[3]], owner: "bob", collection: .named("rome"))
    let report = try test.library.erase(.collection("rome", owner: "ann"))
    #expect(report.files == 2)
    #expect(report.collections == 1)
    let left = try TestLibrary.all { try test.catalogue.newest(.all, after: $0, limit: 9) }
    #expect(Set(left.map(\.id)) == Set(ids[2...]))
    #expect(try test.catalogue.collections(of: "ann", by: .name, after: nil, limit: 9).collections.isEmpty)
    #expect(try test.catalogue.collections(of: "bob", by: .name, after: nil, limit: 9).collections.count == 1)
  }

  @Test("An original that two owners added is stored for each of them") func owners() throws {
    let test = try TestLibrary(copy: true)
    let photo = PathBytes(try test.folder.write([1, 2, 3], to: "upload"))
    let hers = try test.library.keepOriginal(at: photo, owner: "ann")
    let his = try test.library.keepOriginal(at: photo, owner: "bob")
    #expect(hers.path != his.path)
    #expect(try test.library.keepOriginal(at: photo, owner: "ann").path == hers.path)
    for (stamp, owner) in [(hers, "ann"), (his, "bob")] {
      try test.catalogue.apply([
        .done(stamp, FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(1), engine: "e"))
      ])
      try test.catalogue.assign([try test.id(stamp.path.description)], owner: owner, collection: .none)
    }
    #expect(try test.library.erase(.owner("ann")).originals == 1)
    #expect(!FileManager.default.fileExists(atPath: hers.path.description))
    #expect(FileManager.default.contents(atPath: his.path.description) == Data([1, 2, 3]))
    #expect(try test.library.verify().isIntact)
    #expect(FileManager.default.subpaths(atPath: test.folder.path("copy/originals"))?.count == 3, "his copy alone")
  }

  @Test("While another process reads an older state, the log stays and this is reported; the next call wipes it")
  func readers() throws {
    let test = try TestLibrary()
    try test.catalogue.apply([TestLibrary.done("/r/zebra.jpg", inode: 1), TestLibrary.done("/r/okapi.jpg", inode: 2)])
    let id = try test.id("/r/zebra.jpg")
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"), configuration: configuration)
    try reader.inDatabase { db in
      try db.beginTransaction(.deferred)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file") == 2)
    }
    #expect(try !test.library.erase(.file(id)).isWiped)
    #expect(try !files(of: test, holding: "zebra").isEmpty)
    try reader.inDatabase { db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file") == 2, "an older state")
      try db.commit()
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file") == 1)
    }
    #expect(try test.library.erase(.file(id)).isWiped)
    #expect(try files(of: test, holding: "zebra").isEmpty)
  }

  @Test("R-MYM-24: the snapshot in the copy contains no word of erased files, also after a second erasure")
  func snapshot() throws {
    let test = try TestLibrary(copy: true)
    // In one transaction: the index has one part, which nothing merges with the next.
    try test.catalogue.apply(
      (0..<300).map { number in
        TestLibrary.done("/r/\(number % 2 == 0 ? "zebra" : "okapi")\(number).jpg", inode: UInt64(number + 1))
      })
    for number in stride(from: 0, to: 300, by: 2) {
      try test.catalogue.assign([test.id("/r/zebra\(number).jpg")], owner: "ann", collection: .none)
    }
    try test.library.backUp()
    #expect(try !files(of: test, holding: "zebra").isEmpty, "the search itself")
    #expect(try test.library.erase(.owner("ann")).isWiped)
    #expect(try files(of: test, holding: "zebra") == [])
    #expect(try !files(of: test, holding: "okapi").isEmpty)
  }

  @Test("R-MYM-24: erasing an owner also erases originals of the owner without a row, or with a row without an owner")
  func restOfOriginals() throws {
    let test = try TestLibrary(copy: true)
    func keep(_ byte: UInt8, row: Bool, owner: String? = nil) throws -> FileStamp {
      let photo = try test.folder.write([byte, byte], to: "upload\(byte)")
      let stamp = try test.library.keepOriginal(at: PathBytes(photo), owner: "ann")
      try FileManager.default.removeItem(atPath: photo)
      if row { try test.catalogue.apply([.done(stamp, FileResult(info: TestLibrary.photo(), engine: "e"))]) }
      if let owner { try test.catalogue.assign([test.id(stamp.path.description)], owner: owner, collection: .none) }
      return stamp
    }
    // Killed between the file and its row; put back by a repair; hers; given to another since.
    let orphan = try keep(1, row: false)
    let found = try keep(2, row: true)
    let hers = try keep(3, row: true, owner: "ann")
    let his = try keep(4, row: true, owner: "bob")
    let leftover = orphan.path.folder.folder.description + "/.tmp-1-1"
    try Data("half a photo".utf8).write(to: URL(fileURLWithPath: leftover))
    let report = try test.library.erase(.owner("ann"))
    #expect(report.originals == 3)
    #expect(report.originalBytes == 6)
    #expect(report.files == 2)
    #expect(report.isWiped)
    for gone in [orphan, found, hers] { #expect(!FileManager.default.fileExists(atPath: gone.path.description)) }
    #expect(!FileManager.default.fileExists(atPath: leftover))
    #expect(FileManager.default.contents(atPath: his.path.description) == Data([4, 4]))
    let copies = FileManager.default.subpaths(atPath: test.folder.path("copy/originals")) ?? []
    #expect(copies.filter { $0.utf8.count > 100 }.count == 1, "\(copies)")
    #expect(try test.library.verify().isIntact)
    #expect(try test.library.erase(.owner("ann")).originals == 0)
  }
}

extension Sequence where Element == UInt8 {
  fileprivate func contains(_ part: [UInt8]) -> Bool { Data(self).range(of: Data(part)) != nil }
}
