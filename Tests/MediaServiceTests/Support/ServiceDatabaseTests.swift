internal import Dispatch
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The service's database") struct ServiceDatabaseTests {
  @Test("The database can be closed while other threads read it, and their next calls fail") func closedWhileRead()
    throws
  {
    let threads = BlockingThreads(limit: 1)
    for number in 0..<20 {
      let folder = try TemporaryFolder()
      let database = try ServiceDatabase(
        path: PathBytes(folder.path("\(number).sqlite")), reading: threads, writing: threads)
      let readers = DispatchGroup()
      let reads = (0..<3).map { _ in DispatchSemaphore(value: 0) }
      for began in reads {
        readers.enter()
        // Threads of their own: a pool may not run all of them at once.
        Thread.detachNewThread {
          while (try? database.readBlocking { db in try AttachmentRecord.read(FileID(rawValue: 1), db) }) != nil {
            began.signal()
          }
          readers.leave()
        }
      }
      for began in reads { began.wait() }
      try database.close()
      readers.wait()
      #expect(throws: DatabaseError.self) { try database.readBlocking { _ in } }
    }
  }
}
