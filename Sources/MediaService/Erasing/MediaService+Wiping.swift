internal import Logging
internal import MediaLibrary

extension MediaService {
  /// Rewrites the databases if rows were erased since they were rewritten last, so that nothing of them can be read in their files. Call it once an
  /// hour; errors are logged, and the next call tries again.
  public func sweepErasures() async {
    let (library, database) = (library.library, database)
    do {
      // Where erasures run too: one that is counted as ended is complete.
      try await self.library.writing.run { [endings, erasingOwners] in
        try endings.record(in: database)
        try database.writeBlocking { db in try erasingOwners.strikeEnded(db) }
        let count = try database.readBlocking(ErasureCount.read)
        guard count.needsWipe, try library.wipe() else { return }
        try database.wipeBlocking()
        try database.writeBlocking { db in try ErasureCount.noteWipe(after: count.ended, db) }
      }
    } catch {
      logger.error("erased rows were not wiped", metadata: ["error": "\(error)"])
    }
  }

  /// Makes deleted rows of the service's database unreadable in its files.
  /// - Returns: Whether that succeeded; otherwise the next sweep does it.
  func wipeDatabase() async -> Bool {
    let database = database
    do {
      try await library.writing.run { try database.wipeBlocking() }
      return true
    } catch {
      logger.error("erased rows were not wiped", metadata: ["error": "\(error)"])
      return false
    }
  }
}
