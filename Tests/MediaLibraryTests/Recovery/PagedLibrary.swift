internal import FileSupport
internal import Foundation
internal import GRDB
internal import TestSupport

@testable internal import MediaLibrary

/// A library of 600 files with captions, owners and a collection, and 300 notes in a trip, of which a snapshot has the first 400 and 200, and its pages.
struct PagedLibrary {
  static let saved = 400
  static let all = 600
  let test: TestLibrary
  let hasCopy: Bool
  let bytes: Data

  init(copy: Bool) throws {
    hasCopy = copy
    test = try TestLibrary(copy: copy)
    var trip = Trip.New(owner: "ann", title: "Journey", started: 7)
    trip.description = "By train"
    try test.library.moments.add(trip)
    try Self.add(0..<Self.saved, to: test)
    if copy { try test.library.backUp() }
    try Self.add(Self.saved..<Self.all, to: test)
    // Since the snapshot.
    try test.catalogue.setText(of: test.id("/r/b/7.jpg"), title: "changed", caption: "caption 7")
    try test.library.close()
    // A library that was read leaves its log.
    let queue = try DatabaseQueue(path: test.library.location.catalogue.description)
    try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    try queue.close()
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
    let filler = String(repeating: "words ", count: 20)
    try test.library.moments.add(
      numbers.filter { $0 % 2 == 0 }.map { number in
        var new = Moment.New(owner: "ann", note: "note \(number) \(filler)", posted: number)
        new.visibility = .public
        return new
      })
    let first = try test.id(path(numbers.lowerBound))
    try test.library.moments.addUse("message \(numbers.lowerBound)", of: first)
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
    for suffix in ["-wal", "-shm"] { try StoreFiles.remove(test.library.location.catalogue.suffixed(suffix)) }
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

  /// The notes that exist, by the numbers in their texts.
  func notes() throws -> [Int: Moment] {
    let library = try Library.open(at: test.library.location, for: .reading)
    defer { try? library.close() }
    let moments = try MomentWorld.all { try library.moments.newest(.owner("ann"), after: $0, limit: 500) }
    return Dictionary(
      moments.compactMap { moment in
        guard let words = moment.caption?.split(separator: " "), words.count == 22, let number = Int(words[1]) else {
          return nil
        }
        return (number, moment)
      }
    ) { first, _ in first }
  }

  /// Overwrites the leaf pages of tables with zeros, or only one of them.
  static func damage(_ tables: Set<String>, of catalogue: PathBytes, leaf: Int? = nil) throws {
    let queue = try DatabaseQueue(path: catalogue.description)
    try queue.writeWithoutTransaction { db in
      // A library that was read leaves its log.
      if try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" { _ = try db.checkpoint(.truncate) }
    }
    let size = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096 }
    let pages = try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT pageno, name FROM dbstat WHERE pagetype = 'leaf'")
        .filter { tables.contains($0[1]) }.map { $0[0] as Int }
    }
    try queue.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: catalogue.description))
    for (number, page) in pages.enumerated() where leaf == nil || leaf == number {
      bytes.replaceSubrange((page - 1) * size..<page * size, with: Data(count: size))
    }
    try bytes.write(to: URL(fileURLWithPath: catalogue.description))
  }
}
