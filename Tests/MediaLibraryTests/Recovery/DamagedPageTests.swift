internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// A library of 600 files with captions, owners and a collection, of which a snapshot has the first 400, and its pages.
private struct PagedLibrary {
  static let saved = 400
  static let all = 600
  let test: TestLibrary
  let hasCopy: Bool
  let bytes: Data

  init(copy: Bool) throws {
    hasCopy = copy
    test = try TestLibrary(copy: copy)
    try Self.add(0..<Self.saved, to: test)
    if copy { try test.library.backUp() }
    try Self.add(Self.saved..<Self.all, to: test)
    // Since the snapshot.
    try test.catalogue.setText(of: test.id("/r/b/7.jpg"), title: "changed", caption: "caption 7")
    try test.library.close()
    bytes = try Data(contentsOf: URL(fileURLWithPath: test.library.location.catalogue.description))
  }

  private static func add(_ numbers: Range<Int>, to test: TestLibrary) throws {
    try test.catalogue.apply(
      numbers.map {
        TestLibrary.done(path($0), inode: UInt64($0 + 1), at: (Double($0 % 80), 5), digest: $0 % 2 == 0 ? $0 + 1 : nil)
      })
    try test.catalogue.openCollection("trip", owner: "ann", title: "Trip", at: 5)
    for number in numbers {
      let id = try test.id(path(number))
      try test.catalogue.setText(of: id, title: nil, caption: "caption \(number)")
      if number % 3 == 0 { try test.catalogue.assign([id], owner: "ann", collection: .named("trip")) }
    }
  }

  static func path(_ number: Int) -> String { "/r/\(number % 2 == 0 ? "a" : "b")/\(number).jpg" }

  /// The pages of the catalogue, each with the table or index that it belongs to, without the first one, which has the schema.
  func pages() throws -> [(number: Int, name: String, type: String)] {
    let queue = try DatabaseQueue(path: test.library.location.catalogue.description)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT pageno, name, pagetype FROM dbstat WHERE pageno > 1 ORDER BY pageno")
        .map { (number: $0[0], name: $0[1], type: $0[2]) }
    }
  }

  /// Overwrites one page with zeros, rebuilds, and closes the library again.
  func rebuild(without page: Int, accepting: Bool = true) throws -> (origin: String?, plan: Library.RebuildPlan?) {
    var damaged = bytes
    damaged.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(count: 4_096))
    try damaged.write(to: URL(fileURLWithPath: test.library.location.catalogue.description))
    var options = Library.Options()
    if hasCopy { options.copy = test.library.options.copy }
    var plan: Library.RebuildPlan?
    let (library, report) = try Library.rebuild(
      at: test.library.location, options: options,
      accepting: {
        plan = $0
        return accepting
      })
    try library.close()
    return (report.rebuildOrigin, plan)
  }

  /// The files that exist with their captions.
  func found() throws -> Set<Int> {
    let library = try Library.open(at: test.library.location, for: .reading)
    defer { try? library.close() }
    var found: Set<Int> = []
    for number in 0..<Self.all {
      guard let file = try library.catalogue.file(at: PathBytes(Self.path(number))) else { continue }
      if file.caption == "caption \(number)" { found.insert(number) }
    }
    return found
  }
}

@Suite("A rebuild of a catalogue with a damaged page", .serialized) struct DamagedPageTests {
  @Test("R-MYM-23: a damaged page of files costs only its own rows, and those that the snapshot has come from there")
  func pageOfFiles() throws {
    let library = try PagedLibrary(copy: true)
    let pages = try library.pages().filter { $0.name == "file" && $0.type == "leaf" }
    #expect(pages.count > 10)
    for page in pages {
      let (origin, plan) = try library.rebuild(without: page.number)
      let lost = try Set(0..<PagedLibrary.all).subtracting(library.found())
      #expect(lost.count < 50, "page \(page.number): \(lost.count)")
      #expect(lost.allSatisfy { $0 >= PagedLibrary.saved }, "page \(page.number): what the snapshot has is restored")
      #expect(origin?.contains("made from \(library.test.library.location.catalogue)") == true, "\(origin ?? "")")
      #expect(plan?.recovery?.lost == (lost.isEmpty ? nil : lost.count), "it is asked only for a loss: \(plan as Any)")
      if lost.isEmpty {
        #expect(origin?.contains("on damaged pages taken from") == true, "\(origin ?? "")")
      } else {
        #expect(origin?.contains("\(lost.count) file") == true, "\(origin ?? "")")
      }
    }
  }

  @Test(
    "R-MYM-23: whichever page of the catalogue is damaged, a rebuild has every row of the snapshot and all newer ones but that page's"
  )
  func anyPage() throws {
    let library = try PagedLibrary(copy: true)
    for page in try library.pages() where page.name != "sqlite_schema" {
      _ = try library.rebuild(without: page.number)
      let lost = try Set(0..<PagedLibrary.all).subtracting(library.found())
      #expect(lost.allSatisfy { $0 >= PagedLibrary.saved }, "\(page): \(lost.sorted())")
      if page.type == "leaf" { #expect(lost.count < 50, "\(page): \(lost.count)") }
      let rebuilt = try Library.open(at: library.test.library.location, for: .reading)
      defer { try? rebuilt.close() }
      #expect(try rebuilt.verify().problems == [:], "\(page)")
      #expect(
        try rebuilt.catalogue.collections(of: "ann", by: .name, after: nil, limit: 9).collections.map(\.title) == [
          "Trip"
        ], "\(page)")
    }
  }

  @Test("R-MYM-23: without a copy, a damaged page costs its own rows, and the rebuild must be accepted")
  func withoutCopy() throws {
    let library = try PagedLibrary(copy: false)
    let pages = try library.pages().filter { $0.name == "file" && $0.type == "leaf" }
    let page = try #require(pages.dropFirst(pages.count / 2).first)
    let error = #expect(throws: LibraryError.self) { try library.rebuild(without: page.number, accepting: false) }
    #expect(error?.code == .wouldLose)
    #expect(error?.message.contains("on damaged pages lost") == true, "\(error as Any)")
    _ = try library.rebuild(without: page.number)
    let found = try library.found()
    #expect(found.count > PagedLibrary.all - 50)
    #expect(found.count < PagedLibrary.all)
  }

  @Test("An erased file on a damaged page does not come back from a snapshot that still has it") func erased() throws {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply((0..<3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1), digest: $0 + 1) })
    for number in 0..<3 {
      try test.catalogue.setText(of: test.id("/r/\(number).jpg"), title: nil, caption: "\(number)")
    }
    try test.library.backUp()
    try test.library.database.pool.write { db in
      try db.execute(sql: "DELETE FROM file WHERE name = CAST('1.jpg' AS BLOB)")
    }
    let (location, options) = (test.library.location, test.library.options)
    // As full as the snapshot, so that the catalogue itself is recovered.
    try test.catalogue.apply([TestLibrary.done("/r/3.jpg", inode: 9, digest: 9)])
    try test.catalogue.setText(of: test.id("/r/2.jpg"), title: "two", caption: "2")
    try test.library.close()
    let queue = try DatabaseQueue(path: location.catalogue.description)
    let page = try queue.read { db in
      try Int.fetchOne(db, sql: "SELECT pageno FROM dbstat WHERE name = 'file' AND pagetype = 'leaf'")
    }
    try queue.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: location.catalogue.description))
    let start = (try #require(page) - 1) * 4_096
    bytes.replaceSubrange(start..<start + 4_096, with: Data(count: 4_096))
    try bytes.write(to: URL(fileURLWithPath: location.catalogue.description))
    let candidate = CatalogueCandidate(in: location)
    let copy = try #require(options.copy)
    let snapshot = try #require(try Snapshot.all(in: copy).first)
    let (contents, report) = try candidate.recover(from: location.catalogue, and: snapshot.path, after: 9)
    #expect(contents.files == 2)
    #expect(report.fromSnapshot == 2)
    #expect(report.lost == 1, "the file that is newer than the snapshot")
    try candidate.remove()
  }
}
