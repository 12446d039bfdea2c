internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("R-MYM-24: erasing an owner who has more than a page of moments and files", .serialized)
struct LargeErasureTests {
  private typealias Progress = ErasureRequest.Progress

  private final class Recorder: Sendable {
    private let seen = Mutex<[ErasureRequest.Progress]>([])
    var all: [ErasureRequest.Progress] { seen.withLock { $0 } }
    func note(_ progress: ErasureRequest.Progress) { seen.withLock { $0.append(progress) } }
  }

  private static func open(_ folder: String, for access: Library.Access) throws -> Library {
    var options = Library.Options()
    (options.patience, options.copy) = (1, PathBytes(folder + "/copy"))
    return try Library.open(at: LibraryLocation(folder: PathBytes(folder + "/l")), for: access, options: options)
  }

  /// Pages of three rows, and of two in snapshots.
  private static func request(_ library: Library) -> ErasureRequest {
    var request = ErasureRequest(.owner("ada"), originals: library.location.originals)
    (request.pageSize, request.snapshotPageSize) = (3, 2)
    return request
  }

  /// A library in which ada has four photos with renditions, each with a moment, and six notes, and bob a note at the same place; with a snapshot.
  private static func fill(_ folder: String) throws {
    let library = try open(folder, for: .creating)
    var posts: [Moment.New] = []
    for number in 1...4 {
      try Data("Zanzibaroriginal \(number)".utf8).write(to: URL(fileURLWithPath: folder + "/upload"))
      let stamp = try library.keepOriginal(at: PathBytes(folder + "/upload"), owner: "ada")
      let address = try library.store.put(Array("Zanzibarrendition \(number)".utf8))
      let rendition = StoredRendition(
        name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
      let result = FileResult(
        info: TestLibrary.photo(taken: number, at: (46, 7)), digest: TestLibrary.digest(number),
        renditions: [rendition], engine: "e", recipe: "facts")
      let added = AddedFile(path: stamp.path, modified: 1, received: 1, result: result, owner: "ada")
      posts.append(Moment.New(owner: "ada", file: try library.catalogue.add([added])[0], posted: number))
    }
    try FileManager.default.removeItem(atPath: folder + "/upload")
    for number in 1...6 { posts.append(Moment.New(owner: "ada", note: "Zanzibarnote \(number)", posted: number)) }
    posts.append(Moment.New(owner: "bob", note: "Keptnote", posted: 1))
    for index in posts.indices { posts[index].location = .given(MomentWorld.place(46, 7)) }
    _ = try library.moments.add(posts)
    _ = try library.backUp()
    try library.close()
  }

  private static func isErased(_ library: Library, in folder: TemporaryFolder) throws -> Bool {
    let moments = try library.moments.newest(.owner("ada"), after: nil, limit: 99).moments
    let words = try ["Zanzibaroriginal", "Zanzibarrendition", "Zanzibarnote", "zanzibarnote"].flatMap {
      try folder.files(containing: Array($0.utf8))
    }
    return moments.isEmpty && words.isEmpty
  }

  @Test("Rows are deleted in pages of one transaction, and progress counts them in the order of the steps")
  func pages() throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder.url.path)
    let library = try Self.open(folder.url.path, for: .writing)
    let recorder = Recorder()
    var request = Self.request(library)
    request.progress = { recorder.note($0) }
    let report = try library.erase(request)
    #expect(report.moments == 10)
    #expect(report.files == 4)
    #expect(report.isWiped)
    let seen = recorder.all
    #expect(seen.filter { $0.step == .moments }.map(\.done) == [3, 6, 9, 10])
    #expect(seen.filter { $0.step == .moments }.allSatisfy { $0.total == 10 })
    #expect(seen.filter { $0.step == .files } == [Progress(.files, 3, of: 4), Progress(.files, 4, of: 4)])
    #expect(seen.last { $0.step == .originals }?.done == 4)
    #expect(seen.last { $0.step == .renditions }?.done == 4)
    let order = seen.compactMap { Progress.Step.allCases.firstIndex(of: $0.step) }
    #expect(order == order.sorted())
    #expect(Set(seen.map(\.step)) == Set(Progress.Step.allCases))
    #expect(try Self.isErased(library, in: folder))
    #expect(try library.moments.newest(.owner("bob"), after: nil, limit: 9).moments.map(\.caption) == ["Keptnote"])
    #expect(try library.verify().isIntact)
  }

  @Test("Every page of the files and moments to erase is found in snapshots, also without their owner") func snapshots()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.fill(folder.url.path)
    let library = try Self.open(folder.url.path, for: .writing)
    let moments = try library.moments.newest(.owner("ada"), after: nil, limit: 99).moments
    func left() throws -> [Int] {
      let snapshot = try #require(try Snapshot.all(in: PathBytes(folder.path("copy"))).first)
      return try CatalogueProbe(path: snapshot.path).read { db in
        try ["file", "moment"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
      }
    }
    #expect(try left() == [4, 11])
    var request = Self.request(library)
    request.scope = .moments(moments.filter { $0.file == nil }.map(\.id), owner: "ada")
    #expect(try library.erase(request).moments == 6)
    #expect(try left() == [4, 5])
    request.scope = .files(moments.compactMap(\.file))
    #expect(try library.erase(request).files == 4)
    #expect(try left() == [0, 1])
    #expect(try library.verify().isIntact)
  }

  /// Counts statements.
  private final class Statements: Sendable {
    let count = Mutex(0)
  }

  @Test("The ids of files are collected as often for many pages of a snapshot as for one") func collected() throws {
    let counts = try [2, 1_000].map { size in
      let folder = try TemporaryFolder()
      let library = try Self.open(folder.url.path, for: .creating)
      for number in 1...9 {
        let result = FileResult(info: TestLibrary.photo(taken: number), engine: "e", recipe: "facts")
        let path = PathBytes("/r/\(number).jpg")
        _ = try library.catalogue.add([
          AddedFile(path: path, modified: 1, received: 1, result: result, owner: "ada")
        ])
      }
      _ = try library.backUp()
      let statements = Statements()
      library.database.pool.writeWithoutTransaction { db in
        db.trace { event in
          if "\(event)".contains("INTO gone SELECT file.id FROM owner") { statements.count.withLock { $0 += 1 } }
        }
      }
      var request = ErasureRequest(.owner("ada"), originals: library.location.originals)
      request.snapshotPageSize = size
      #expect(try library.erase(request).files == 9)
      try library.close()
      return statements.count.withLock { $0 }
    }
    #expect(counts[0] > 0)
    #expect(counts[0] == counts[1])
  }

  @Test("A process that is killed in a step has erased all rows or none, and a repetition erases the rest")
  func killed() async throws {
    for step in Progress.Step.allCases {
      let folder = try TemporaryFolder()
      let path = folder.url.path
      try Self.fill(path)
      await #expect(processExitsWith: .signal(SIGKILL), "\(step)") {
        [path = path as String, step = step.rawValue as String] in
        let library = try Self.open(path, for: .writing)
        var request = Self.request(library)
        request.progress = { if $0.step.rawValue == step { kill(getpid(), SIGKILL) } }
        _ = try library.erase(request)
      }
      let library = try Self.open(path, for: .writing)
      let left = try library.moments.newest(.owner("ada"), after: nil, limit: 99).moments.count
      #expect(left == ([.snapshots, .moments, .files].contains(step) ? 10 : 0), "\(step)")
      let report = try library.erase(Self.request(library))
      #expect(report.moments == left, "\(step)")
      #expect(try Self.isErased(library, in: folder), "\(step)")
      #expect(try library.moments.newest(.owner("bob"), after: nil, limit: 9).moments.count == 1, "\(step)")
      #expect(try library.verify().isIntact, "\(step)")
      try library.close()
    }
  }
}
