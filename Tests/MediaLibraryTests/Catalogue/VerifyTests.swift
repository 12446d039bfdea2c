internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Verifying and repairing") struct VerifyTests {
  /// A library with two renditions of one file and two originals of an owner.
  private struct Filled {
    let test: TestLibrary
    let renditions: [ContentDigest]
    let originals: [FileStamp]

    init(copy: Bool) throws {
      test = try TestLibrary(copy: copy)
      let store = test.library.store
      renditions = try [[1, 2, 3], [4, 5]].map { try store.put($0) }
      try test.catalogue.apply([
        TestLibrary.done(
          "/r/a.jpg", inode: 1, at: (1, 2), digest: 1,
          renditions: zip(["grid", "view"], renditions).map {
            StoredRendition(name: $0, address: $1, type: .webp, width: 1, height: 1, bytes: 2, from: .image)
          }), .folderDone(PathBytes("/r"), fingerprint: 5),
      ])
      let folder = test.folder
      let library = test.library
      originals = try (0..<2).map { index in
        let upload = try folder.write([9, UInt8(index)], to: "upload\(index)")
        return try library.keepOriginal(at: PathBytes(upload), owner: "ann")
      }
      for (index, stamp) in originals.enumerated() {
        try test.catalogue.apply([
          .done(stamp, FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(50 + index), engine: "e"))
        ])
        try test.catalogue.assign([test.id(stamp.path.description)], owner: "ann", collection: .none)
      }
    }

    func path(of address: ContentDigest, in folder: String) -> String {
      DirectoryStore(folder: PathBytes(test.folder.path(folder))).path(of: address)?.description ?? ""
    }

    func problems() throws -> [Library.VerificationReport.Problem] {
      var found: [Library.VerificationReport.Problem] = []
      let report = try test.library.verify { found.append($0) }
      #expect(report.isIntact == found.isEmpty)
      #expect(report.problems.values.reduce(0, +) == found.count)
      return found
    }
  }

  private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test("R-MYM-22: an intact library has no problems, and every stored byte is verified", arguments: [false, true])
  func audio(copy: Bool) throws {
    let filled = try Filled(copy: copy)
    #expect(try filled.test.library.verify() == Library.VerificationReport(checked: copy ? 8 : 4))
    #expect(try filled.test.library.repair() == Library.VerificationReport(checked: copy ? 8 : 4))
  }

  @Test("R-MYM-22, R-MYM-23: damaged and lost files are reported, and restored from the copy") func fromCopy() throws {
    let filled = try Filled(copy: true)
    let (grid, view) = (filled.renditions[0], filled.renditions[1])
    let (first, second) = (filled.originals[0].path, filled.originals[1].path)
    try overwrite(filled.path(of: grid, in: "cache/renditions"), [1, 2, 4])
    try FileManager.default.removeItem(atPath: filled.path(of: view, in: "cache/renditions"))
    try overwrite(first.description, [])
    try FileManager.default.removeItem(atPath: second.description)
    let expected: Set<Library.VerificationReport.Problem> = [
      .damagedRendition(grid, in: .library), .missingRendition(view, in: .library),
      .damagedOriginal(first, in: .library), .missingOriginal(second, in: .library),
    ]
    #expect(Set(try filled.problems()) == expected)
    let report = try filled.test.library.repair()
    #expect(report.repaired == 4)
    #expect(try filled.problems() == [])
    #expect(try filled.test.library.store.read(grid) == [1, 2, 3])
    #expect(FileManager.default.contents(atPath: second.description) == Data([9, 1]))
    #expect(try filled.test.id(first.description) == filled.test.catalogue.file(at: first)?.id)
    #expect(try filled.test.catalogue.file(at: first)?.owner == "ann")
    #expect(try filled.test.catalogue.file(at: first)?.stamp == FileStamp(at: first), "no scan looks at it again")

    // The other way round: the files of the copy.
    for name in ["renditions", "originals"] {
      try FileManager.default.removeItem(atPath: filled.test.folder.path("copy/\(name)"))
    }
    #expect(try filled.problems().count == 4)
    #expect(try filled.test.library.repair().repaired == 4)
    #expect(try filled.problems() == [])
  }

  @Test(
    "R-MYM-23: without a copy, a damaged rendition is removed, to be made again, and a damaged original becomes vanished"
  )
  func withoutCopy()
    throws
  {
    let filled = try Filled(copy: false)
    try overwrite(filled.path(of: filled.renditions[0], in: "cache/renditions"), [7])
    try overwrite(filled.originals[0].path.description, [7])
    #expect(try filled.test.library.repair().repaired == 2)
    #expect(try filled.problems() == [])
    let a = try filled.test.id("/r/a.jpg")
    #expect(try filled.test.catalogue.renditions(of: a).map(\.name) == ["view"])
    let known = try filled.test.catalogue.knownFiles(in: PathBytes("/r"), after: nil, limit: 9)
    #expect(known.map(\.recipe) == [""], "a scan sees that something is missing")
    #expect(try filled.test.catalogue.knownFolder(PathBytes("/r"))?.fingerprint == nil)
    #expect(try filled.test.catalogue.file(at: filled.originals[0].path)?.state == .vanished)
    #expect(try filled.test.catalogue.file(at: filled.originals[1].path)?.state == .done)
    for folder in ["cache/damaged", "data/damaged"] {
      let aside = FileManager.default.subpaths(atPath: filled.test.folder.path(folder)) ?? []
      let kept = aside.compactMap { FileManager.default.contents(atPath: filled.test.folder.path("\(folder)/\($0)")) }
      #expect(kept == [Data([7])], "damaged bytes are moved, not removed: \(folder)")
    }
  }

  @Test("Orphans of the store and of the catalogue, and temporary files, are found") func orphans() throws {
    let filled = try Filled(copy: true)
    let library = filled.test.library
    let orphan = try library.store.put([8, 8, 8])
    let upload = try filled.test.folder.write([5, 5], to: "upload")
    let original = try library.keepOriginal(at: PathBytes(upload), owner: "bob").path
    let beside = filled.path(of: orphan, in: "cache/renditions").split(separator: "/").dropLast().joined(separator: "/")
    try overwrite("/\(beside)/.tmp-1-1", [1])
    let found = try filled.problems()
    #expect(Set(found.map(\.code)) == ["renditionOrphan", "originalOrphan", "leftover"], "\(found)")
    #expect(found.count == 5, "\(found)")
    let report = try library.repair()
    #expect(report.repaired >= 4)
    #expect(try filled.problems() == [])
    #expect(try !library.store.contains(orphan))
    for side in ["cache", "copy"] {
      #expect(FileManager.default.contents(atPath: filled.path(of: orphan, in: "\(side)/orphans")) == Data([8, 8, 8]))
    }
    #expect(try filled.test.catalogue.file(at: original)?.state == .new, "nobody erased it: so it is looked into")
  }

  @Test("Derived data of the catalogue is compared with the rows, and rebuilt from them") func derived() throws {
    let filled = try Filled(copy: false)
    try filled.test.catalogue.apply((0..<40).map { TestLibrary.done("/m/\($0)", inode: UInt64($0 + 100), at: (5, 5)) })
    try filled.test.catalogue.assign([try filled.test.id("/m/1")], owner: "ann", collection: .named("c"))
    for sql in [
      "UPDATE tally SET files = files + 1", "DELETE FROM tally", "UPDATE content SET files = 7 WHERE id = 1",
      "UPDATE collection SET files = 9", "DELETE FROM file_text WHERE rowid = (SELECT max(rowid) FROM file_text)",
      "INSERT INTO file_text (rowid, name) VALUES (999, 'x')", "DELETE FROM location_cell WHERE level = 9",
      "UPDATE location_cell SET files = files - 1 WHERE level = 22",
      "UPDATE location_cell SET x = x + 1 WHERE level = 2",
      "INSERT INTO location_cell VALUES (1, 5, 3, 8, 1, 1, 0, 0, 0, 0)",
      "UPDATE location_cell SET west = west - 1 WHERE level = 9", "INSERT INTO text_change VALUES (5)",
    ] {
      try filled.test.library.database.pool.write { db in try db.execute(sql: sql) }
      #expect(try filled.problems().map(\.code).first == "catalogueDerived", "\(sql)")
      #expect(try filled.test.library.repair().repaired > 0)
      #expect(try filled.problems() == [], "\(sql)")
    }
    #expect(try filled.test.catalogue.search("a.jpg", in: .all, after: nil, limit: 9).files.count == 1)
  }

  @Test(
    "R-MYM-23: a missing or damaged catalogue is restored from its backup, with what the stores have since",
    arguments: [false, true])
  func rebuilt(copy: Bool) throws {
    let filled = try Filled(copy: copy)
    let id = try filled.test.id("/r/a.jpg")
    try filled.test.catalogue.setText(of: id, title: "kept", caption: nil)
    if copy { try filled.test.library.backUp() }
    let upload = try filled.test.folder.write([5, 5], to: "upload")
    let later = try filled.test.library.keepOriginal(at: PathBytes(upload), owner: "bob").path
    try filled.test.library.close()
    let database = filled.test.folder.path("data/catalogue.sqlite")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: database)))
    for index in bytes.indices where index > 100 && index % 3 == 0 { bytes[index] ^= 0x5A }
    try overwrite(database, bytes)
    var failure: LibraryError?
    do {
      let broken = try Library.open(at: filled.test.library.location, for: .writing)
      if try !broken.verify().isIntact { failure = LibraryError(.corrupt, "") }
      try broken.close()
    } catch {
      failure = error
    }
    #expect(failure?.code == .corrupt || failure?.code == .system || failure?.code == .notALibrary, "\(failure as Any)")

    // How much newer the catalogue was than its backup is not known.
    let refused = #expect(throws: LibraryError.self) {
      try Library.rebuild(at: filled.test.library.location, options: filled.test.library.options)
    }
    #expect(refused?.code == .wouldLose)
    let (library, report) = try Library.rebuild(
      at: filled.test.library.location, options: filled.test.library.options, accepting: { _ in true })
    #expect(report.repaired > 0)
    #expect(try library.verify().problems.keys.filter { $0 != "renditionOrphan" } == [])
    #expect(try library.catalogue.file(at: later)?.state == .new)
    for stamp in filled.originals {
      #expect(try library.catalogue.file(at: stamp.path)?.state == (copy ? .done : .new))
    }
    #expect(try library.catalogue.file(at: PathBytes("/r/a.jpg"))?.title == (copy ? "kept" : nil))
    #expect(try library.store.contains(filled.renditions[0]), "a scan may want it")
    #expect(report.unclaimed == (copy ? 0 : 2))
    let aside = try SetAsideCatalogues(filled.test.library.location).paths()
    #expect(aside.map(\.name) == [Array("catalogue.sqlite.damaged-1".utf8)])
  }

  @Test("Damaged databases are reported, and never trap", arguments: 0..<40 as Range<UInt64>) func damaged(seed: UInt64)
    throws
  {
    let filled = try Filled(copy: false)
    try filled.test.library.close()
    var random = SeededGenerator(seed: seed)
    let path = filled.test.folder.path("data/catalogue.sqlite")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for _ in 0...random.below(40) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
    if random.below(4) == 0 { bytes.removeLast(random.below(bytes.count)) }
    try overwrite(path, bytes)
    // Damage is an error or a part of the report.
    guard let library = try? Library.open(at: filled.test.library.location, for: .writing) else { return }
    _ = try? library.verify()
    _ = try? library.catalogue.newest(.all, after: nil, limit: 50)
    _ = try? library.catalogue.locations(in: .world, zoom: 5, of: .all)
    _ = try? library.scanIndex.apply([TestLibrary.done("/r/n.jpg", inode: 5, at: (1, 1))])
    _ = try? library.repair()
    _ = try? library.erase(.owner("ann"))
  }

  @Test("Foreign files in a store's folder are skipped") func foreignFiles() throws {
    let filled = try Filled(copy: false)
    try filled.test.folder.write([1], to: "cache/renditions/ab/x")
    try filled.test.folder.write([1], to: "cache/renditions/zz")
    try FileManager.default.removeItem(atPath: filled.test.folder.path("cache/renditions/ab/x"))
    try FileManager.default.removeItem(atPath: filled.test.folder.path("cache/renditions/ab"))
    try filled.test.folder.write([1], to: "cache/renditions/ab")
    #expect(try filled.problems() == [])
  }
}

extension Library.VerificationReport {
  fileprivate init(checked: Int) {
    self.init()
    self.checked = checked
  }
}
