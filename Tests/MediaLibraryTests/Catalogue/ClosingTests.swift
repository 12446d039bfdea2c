internal import Dispatch
internal import FileSupport
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Closing a library that is in use") struct ClosingTests {
  @Test("A library can be closed while other threads read it, and their next calls fail") func closedWhileRead() throws
  {
    for _ in 0..<20 {
      let test = try TestLibrary()
      let library = test.library
      let readers = DispatchGroup()
      let reads = (0..<3).map { _ in DispatchSemaphore(value: 0) }
      for began in reads {
        readers.enter()
        // Threads of their own: a pool may not run all of them at once.
        Thread.detachNewThread {
          while (try? library.catalogue.newest(.all, after: nil, limit: 1)) != nil { began.signal() }
          readers.leave()
        }
      }
      for began in reads { began.wait() }
      try library.close()
      readers.wait()
      let error = #expect(throws: LibraryError.self) { try library.catalogue.newest(.all, after: nil, limit: 1) }
      #expect(error?.code == .closed)
    }
  }

  /// What happened, in order.
  private final class Order: Sendable {
    private let events = Mutex<[String]>([])
    var all: [String] { events.withLock { $0 } }
    func add(_ event: String) { events.withLock { $0.append(event) } }
  }

  @Test("A database is closed when its last use has ended, and a use after that fails") func uses() throws {
    let (uses, order) = (DatabaseUses(), Order())
    let began = DispatchSemaphore(value: 0)
    let closing = DispatchGroup()
    closing.enter()
    Thread.detachNewThread {
      began.wait()
      uses.end()
      order.add("closed")
      closing.leave()
    }
    try uses.use {
      began.signal()
      // Others may begin until the end is asked for; from then on they fail, while this one goes on.
      while (try? uses.use {}) != nil {}
      order.add("used")
    }
    closing.wait()
    #expect(order.all == ["used", "closed"])
    #expect(throws: DatabaseError.self) { try uses.use {} }
  }
}
