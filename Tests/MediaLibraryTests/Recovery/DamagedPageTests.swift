internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A rebuild of a catalogue with a damaged page", .serialized) struct DamagedPageTests {
  /// Every fifth page, with the first and the last; all with MEDIATOOL_FULL=1.
  private static func sample<Page>(_ pages: [Page]) -> [Page] {
    if ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" { return pages }
    return pages.enumerated().filter { $0.offset % 5 == 0 || $0.offset == pages.count - 1 }.map(\.element)
  }

  @Test("R-MYM-23: a damaged page of files costs only its own rows, and those that the snapshot has come from there")
  func pageOfFiles() throws {
    let library = try PagedLibrary(copy: true)
    let pages = try library.pages().filter { $0.name == "file" && $0.type == "leaf" }
    #expect(pages.count > 10)
    for page in Self.sample(pages) {
      let (origin, plan) = try library.rebuild(without: page.number)
      let lost = try Set(0..<PagedLibrary.all).subtracting(library.found())
      #expect(lost.count < 50, "page \(page.number): \(lost.count)")
      #expect(lost.allSatisfy { $0 >= PagedLibrary.saved }, "page \(page.number): what the snapshot has is restored")
      #expect(origin?.contains("made from \(library.test.library.location.catalogue)") == true, "\(origin ?? "")")
      #expect(plan?.recovery?.lost == (lost.isEmpty ? nil : lost.count), "it is asked only for a loss: \(plan as Any)")
      if lost.isEmpty {
        #expect(origin?.contains("on damaged pages were taken from") == true, "\(origin ?? "")")
      } else {
        #expect(origin?.contains("\(lost.count) file") == true, "\(origin ?? "")")
      }
    }
  }

  @Test(
    "R-MYM-23: whichever table or index has a damaged page, a rebuild has every row of the snapshot and all newer ones but that page's"
  )
  func anyPage() throws {
    let library = try PagedLibrary(copy: true)
    // One in the middle of each table and index, and one inner page.
    let pages = Dictionary(grouping: try library.pages()) { "\($0.name) \($0.type)" }
    let middle = pages.values.compactMap { $0.dropFirst($0.count / 2).first }.sorted { $0.number < $1.number }
    for page in Self.sample(middle) where page.name != "sqlite_schema" {
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
      let notes = try library.notes()
      let missing = stride(from: 0, to: PagedLibrary.all, by: 2).filter { notes[$0] == nil }
      #expect(missing.allSatisfy { $0 >= PagedLibrary.saved }, "\(page): \(missing)")
      if page.type == "leaf" { #expect(missing.count < 50, "\(page): \(missing.count)") }
      let trips = try rebuilt.moments.trips(of: ["ann"], after: nil, limit: 9).trips
      #expect(trips.map(\.title) == ["Journey"], "\(page)")
      #expect(trips.first?.moments == notes.count, "\(page)")
    }
  }

  @Test("R-MYM-23: without a copy, a damaged page costs its own rows, and the rebuild must be accepted")
  func withoutCopy() throws {
    let library = try PagedLibrary(copy: false)
    let pages = try library.pages().filter { $0.name == "file" && $0.type == "leaf" }
    let page = try #require(pages.dropFirst(pages.count / 2).first)
    let error = #expect(throws: LibraryError.self) { try library.rebuild(without: page.number, accepting: false) }
    #expect(error?.code == .wouldLose)
    #expect(error?.message.contains("on damaged pages are lost") == true, "\(error as Any)")
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
    let (contents, report) = try candidate.recover(from: location.catalogue, and: [snapshot.path], after: 9)
    #expect(contents.files == 2)
    #expect(report.fromSnapshot == 2)
    #expect(report.lost == 1, "the file that is newer than the snapshot")
    try candidate.remove()
  }
}
