internal import Dispatch
internal import FileSupport
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Snapshots while the catalogue is used") struct SnapshotCoordinatorTests {
  @Test("a snapshot is written while a change is being made, and has the state before it") func besideAWrite() throws {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply([TestLibrary.done("/r/1.jpg", inode: 1)])
    let report = try test.library.database.write { db in
      try db.execute(sql: "DELETE FROM file")
      // With the connection for changes, of which there is one, this would never return.
      return try test.library.backUp()
    }
    #expect(report.contents.files == 1)
    #expect(try test.library.backUp().contents.files == 0)
  }

  /// What a thread reports.
  private final class Outcome: Sendable {
    let code = Mutex<LibraryError.Code?>(nil)
  }

  @Test("an erasure ends the snapshot that is being written, and begins when it has ended") func interrupted() throws {
    let (turns, outcome) = (SnapshotCoordinator(), Outcome())
    let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      do throws(LibraryError) {
        try turns.take { () throws(LibraryError) in
          try SQLiteCatalogue.mapping(at: PathBytes("/c")) { try Self.runForEver(on: turns, began) }
        }
      } catch {
        outcome.code.withLock { $0 = error.code }
      }
      ended.signal()
    }
    began.wait()
    let isFree = try turns.erase { () throws(LibraryError) in true }
    ended.wait()
    #expect(isFree)
    #expect(outcome.code.withLock { $0 } == .busy)
    // Without anything to end, it does nothing.
    turns.interrupt()
    let isFreeAgain = try turns.take { () throws(LibraryError) in true }
    #expect(isFreeAgain)
  }

  @Test("two erasures end a snapshot, also before it reads anything; further ones wait until it is complete")
  func endedTwice() throws {
    let (turns, queue) = (SnapshotCoordinator(), try DatabaseQueue())
    // A snapshot that begins while an erasure waits.
    func begin() -> LibraryError.Code? {
      do throws(LibraryError) {
        try turns.erase { () throws(LibraryError) -> Void in
          try SQLiteCatalogue.mapping(at: PathBytes("/c")) { try turns.run(on: queue) {} }
        }
        return nil
      } catch {
        return error.code
      }
    }
    for _ in 0..<2 { #expect(begin() == .busy) }
    for _ in 0..<2 { #expect(begin() == nil) }
    turns.noteSnapshot()
    #expect(begin() == .busy)
  }

  @Test("an owner of whom the library has nothing is known as such, and ends no snapshot") func nothing() throws {
    let world = try MomentWorld()
    try world.note("n", of: "ada")
    #expect(try world.library.database.hasAny(of: "ada"))
    #expect(try !world.library.database.hasAny(of: "bob"))
  }

  /// A statement without an end, in place of a large snapshot.
  private static func runForEver(on turns: SnapshotCoordinator, _ began: DispatchSemaphore) throws {
    let queue = try DatabaseQueue()
    try turns.run(on: queue) {
      try queue.inDatabase { db in
        db.add(
          function: DatabaseFunction("begin_now", argumentCount: 0) { _ in
            began.signal()
            return 1
          })
        let sql = "WITH RECURSIVE n (i) AS (SELECT begin_now() UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        _ = try Int.fetchOne(db, sql: sql)
      }
    }
  }
}
