internal import FileSupport
internal import GRDB
internal import Synchronization
internal import Testing

@testable internal import MediaLibrary

@Suite("Labels of many files at once") struct ManyLabelsTests {
  private let test: TestLibrary
  private let ids: [FileID]

  init() throws {
    test = try TestLibrary()
    try test.catalogue.apply((0..<300).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0 + 1), at: (1, 2)) })
    ids = try (0..<300).map { [test] index in try test.id("/r/\(index).jpg") }
  }

  private func labels(_ count: Int = 300) -> [(file: FileID, label: CatalogueFile.Label)] {
    var all: [(file: FileID, label: CatalogueFile.Label)] = []
    for (index, id) in ids.prefix(count).enumerated() {
      let location = index == 0 ? nil : Location(latitude: 50, longitude: Double(index) / 10, source: .user)
      all += [(id, .title("title \(index)")), (id, .caption("caption \(index)"))]
      all += [(id, .owner("ann", collection: .named("trip"))), (id, .location(location))]
    }
    return all
  }

  /// Everything that a listing returns of the labels.
  private func stated() throws -> [String] {
    try TestLibrary.all { try test.catalogue.newest(.all, after: $0, limit: 1_000) }.map {
      "\($0.path) \($0.title ?? "-") \($0.caption ?? "-") \($0.owner ?? "-") \($0.collection ?? "-") \($0.location.map { "\($0)" } ?? "-")"
    }
  }

  @Test("All labels of a call are set in one transaction, with search words and grid cells") func oneTransaction()
    throws
  {
    let commits = CommitCount()
    test.library.database.pool.add(transactionObserver: commits)
    try test.catalogue.setLabels(labels())
    #expect(commits.count == 1)
    let file = try #require(try test.catalogue.file(ids[7]))
    #expect(file.title == "title 7")
    #expect(file.caption == "caption 7")
    #expect(file.owner == "ann")
    #expect(file.collection == "trip")
    #expect(file.location?.longitude == 0.7)
    #expect(try test.catalogue.file(ids[0])?.location == nil)
    #expect(try test.catalogue.search("caption 299", in: .all, after: nil, limit: 9).files.map(\.id) == [ids[299]])
    #expect(try test.catalogue.counts(in: .owner("ann")).reduce(0) { $0 + $1.files } == 300)
    #expect(try test.library.verify().isIntact)
  }

  @Test("The result is that of the calls for one file each") func likeOneByOne() throws {
    for (index, id) in ids.prefix(20).enumerated() {
      try test.catalogue.setText(of: id, title: "title \(index)", caption: "caption \(index)")
      try test.catalogue.assign([id], owner: "ann", collection: .named("trip"))
      try test.catalogue.setLocation(
        of: id, index == 0 ? nil : Location(latitude: 50, longitude: Double(index) / 10, source: .user))
    }
    let expected = try stated()
    try test.catalogue.setLabels(
      ids.prefix(20).flatMap { id in
        let none: [CatalogueFile.Label] = [.title(nil), .caption(nil), .owner(nil, collection: .none), .location(nil)]
        return none.map { (file: id, label: $0) }
      })
    #expect(try stated() != expected)
    try test.catalogue.setLabels(labels(20))
    #expect(try stated() == expected)
  }

  @Test("A label that is not named stays, and of two labels of a kind the later one counts") func oneOfThem() throws {
    try test.catalogue.setText(of: ids[0], title: "kept", caption: "old")
    try test.catalogue.setLabels([(ids[0], .caption("newer")), (ids[0], .caption("newest"))])
    #expect(try test.catalogue.file(ids[0])?.title == "kept")
    #expect(try test.catalogue.file(ids[0])?.caption == "newest")
    try test.catalogue.setLabels([])
  }

  @Test("An unknown file is an invalid request, and changes nothing") func unknownFile() throws {
    let before = try stated()
    for label in [.title("x"), .location(nil), .owner("bob", collection: .none)] as [CatalogueFile.Label] {
      #expect {
        try test.catalogue.setLabels([(ids[0], .title("lost")), (FileID(rawValue: 9_999), label)])
      } throws: {
        ($0 as? LibraryError)?.code == .invalidRequest
      }
    }
    #expect(try stated() == before)
  }

  @Test("A server sets them without blocking") func server() async throws {
    let library = AsyncLibrary(test.library)
    try await library.catalogue.setLabels(labels(9))
    #expect(try await library.catalogue.file(ids[3])?.title == "title 3")
  }
}

private final class CommitCount: TransactionObserver, Sendable {
  private let commits = Mutex(0)

  var count: Int { commits.withLock { $0 } }
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
  func databaseDidRollback(_ db: Database) {}
}
