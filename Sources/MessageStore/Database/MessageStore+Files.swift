internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary

extension MessageStore {
  /// Changes the store with files that are stored first: each is complete and on the disk before a row names it. Files that the change does not name
  /// are left for ``removeGarbage()``.
  /// - Parameters:
  ///   - put: Stores the files; returns what `body` needs, and their digests.
  ///   - body: The change.
  func write<Stored, Value>(
    storing put: () throws -> (Stored, [ContentDigest]), _ body: (MessageWriter, Stored) throws -> Value
  ) throws(Failure) -> Value {
    // Between the two steps an equal file may be removed because nothing had it: then it is stored again.
    for _ in 0..<100 {
      let (stored, digests) = try Failure.mapping(at: folder) { try put() }
      do throws(Failure) {
        let value: Value?? = try write { writer in
          guard try digests.allSatisfy({ try files.contains($0) }) else { return nil }
          let result = try body(writer, stored)
          for digest in digests where try !writer.isUsed(digest) { try writer.addGarbage(digest) }
          return result
        }
        if let value, let value { return value }
      } catch {
        try? discard(digests)
        throw error
      }
    }
    throw Failure(
      .system, "A message's files were removed by another program while they were being stored; try again.")
  }

  /// The size of a stored file in bytes; nil if it is not there.
  func size(of digest: ContentDigest) -> Int? {
    files.path(of: digest).flatMap { try? FileStatus(at: $0, followsLinks: false).bytes }
  }

  /// Removes files unless something has them.
  private func discard(_ digests: [ContentDigest]) throws(Failure) {
    try write { writer in for digest in digests { try writer.addGarbage(digest) } }
    try removeGarbage()
  }

  /// Removes the files that belonged to deleted rows. The rows are gone durably before; a file is removed while no transaction can name it. A file that
  /// cannot be removed is tried again by the next call.
  func removeGarbage() throws(Failure) {
    let isEmpty = try read { db in try Bool.fetchOne(db, sql: "SELECT 1 FROM garbage") == nil }
    if isEmpty { return }
    try write { writer in
      for bytes in try Data.fetchAll(writer.db, sql: "SELECT digest FROM garbage") {
        if let digest = ContentDigest(bytes: bytes), try !writer.isUsed(digest) {
          do throws(LibraryError) { try files.remove(digest) } catch { continue }
        }
        try writer.execute("DELETE FROM garbage WHERE digest = ?", [bytes])
      }
    }
  }

  /// Removes what a killed process left: temporary files, files without a row, notifications that are no longer remembered. Cost: one listing of the
  /// files.
  /// - Parameter isOpening: Whether nothing is being written, because the store is being opened. A temporary file that has the number of this process is
  ///   then one of an earlier process, which had the same: in a container it often has. False by default.
  func sweep(isOpening: Bool = false) throws(Failure) {
    try Failure.mapping(at: folder) {
      for path in try files.leftovers() where isOpening || !AtomicFile.isWrittenHere(path.name) {
        try FileSystem.removeFile(path)
      }
    }
    try write { writer in
      try writer.execute("DELETE FROM gone WHERE ends < ?", [writer.now])
      try writer.removeExpiredSegments()
      for digest in try unnamedFiles(writer.db) { try writer.addGarbage(digest) }
    }
    try removeGarbage()
  }

  /// The stored files that no message and no draft has.
  func unnamedFiles(_ db: Database) throws -> [ContentDigest] {
    var named: Set<Data> = []
    let found = try Data.fetchCursor(
      db, sql: "SELECT digest FROM part WHERE digest IS NOT NULL UNION SELECT digest FROM draftFile")
    while let digest = try found.next() { named.insert(digest) }
    return try files.addresses(after: nil, limit: .max).filter { !named.contains(Data($0.bytes)) }
  }
}

extension MessageWriter {
  /// Whether a message or a draft has the file with this digest.
  func isUsed(_ digest: ContentDigest) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT 1 FROM part WHERE digest = ?1 UNION ALL SELECT 1 FROM draftFile WHERE digest = ?1 LIMIT 1",
      arguments: [Data(digest.bytes)]) != nil
  }

  /// Notes a file that may belong to nothing.
  func addGarbage(_ digest: ContentDigest) throws {
    try execute("INSERT OR IGNORE INTO garbage VALUES (?)", [Data(digest.bytes)])
  }
}
