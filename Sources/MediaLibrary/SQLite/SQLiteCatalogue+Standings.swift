internal import FileSupport
internal import GRDB
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The queries of a scan.
extension SQLiteCatalogue {
  func beginScan(of roots: [PathBytes], at time: Int) throws(LibraryError) -> ScanRun {
    try write(.file, .note) { db in
      try db.execute(sql: "INSERT INTO scan (started) VALUES (?)", arguments: [time])
      let id = db.lastInsertedRowID
      // The last few say what was scanned; older ones would only keep paths.
      try db.execute(
        sql: "DELETE FROM scan_root WHERE scan <= ?1 - 10; DELETE FROM scan WHERE id <= ?1 - 10", arguments: [id, id])
      for root in roots {
        try db.execute(sql: "INSERT OR IGNORE INTO scan_root VALUES (?, ?)", arguments: [id, root.data])
      }
      return ScanRun(id: id, roots: Set(roots).sorted(), started: time)
    }
  }

  func finishScan(_ run: ScanRun, at time: Int) throws(LibraryError) {
    // What the scan has stored is on the disk once it has ended. One that has stored nothing does not wait for the disk.
    try write(.file, hasUnsyncedBatches.load(ordering: .relaxed) ? .onDisk : .note) { db in
      try db.execute(sql: "UPDATE scan SET finished = ? WHERE id = ?", arguments: [time, run.id])
    }
  }

  func lastScan() throws(LibraryError) -> ScanRun? {
    try read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT id, started, finished FROM scan ORDER BY id DESC LIMIT 1")
      else { return nil }
      let roots = try Data.fetchAll(
        db, sql: "SELECT path FROM scan_root WHERE scan = ? ORDER BY path", arguments: [row[0] as Int64])
      return ScanRun(id: row[0], roots: roots.map { PathBytes($0) }, started: row[1], finished: row[2])
    }
  }

  func standings(of stamps: [FileStamp]) throws(LibraryError) -> [KnownFile.Standing] {
    try read { db in
      var lookup = try PathLookup(db)
      let byInode = try db.cachedStatement(sql: FileQueries.knownByInode)
      return try stamps.map { stamp in
        let here = try lookup.file(at: stamp.path)
        if let here {
          if here.stamp.sameContent(as: stamp) { return .unchanged(here) }
          // Same size and time, another inode: a file system that renumbers its files (FAT does at each mount), or an archive unpacked again.
          // Then an inode number says nothing about files elsewhere.
          if here.stamp.size == stamp.size, here.stamp.modified == stamp.modified { return .changed(here) }
        }
        byInode.setUncheckedArguments([Int64(bitPattern: stamp.inode)])
        let rows = try Row.fetchCursor(byInode)
        var elsewhere: KnownFile?
        while let row = try rows.next() {
          let known = try FileRows.known(row)
          // A file that was never examined has no data to move.
          guard known.id != here?.id, known.stamp.sameContent(as: stamp), known.stateBefore != .new else { continue }
          if elsewhere == nil || known.stamp.device == stamp.device { elsewhere = known }
          if known.stamp.device == stamp.device { break }
        }
        return elsewhere.map { .elsewhere($0) } ?? here.map { .changed($0) } ?? .unknown
      }
    }
  }

  func knownFiles(in folder: PathBytes, after: [UInt8]?, limit: Int) throws(LibraryError) -> [KnownFile] {
    try read { db in
      let folderID = try db.cachedStatement(sql: FileQueries.folderID)
      guard let id = try Int64.fetchOne(folderID, arguments: [folder.data]) else { return [] }
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: FileQueries.knownInFolder),
        arguments: [id, Data(after ?? []), Self.limit(limit)])
      var files: [KnownFile] = []
      while let row = try rows.next() { files.append(try FileRows.known(row)) }
      return files
    }
  }

  func knownFolder(_ path: PathBytes) throws(LibraryError) -> KnownFolder? {
    try read { db in
      try Row.fetchOne(try db.cachedStatement(sql: FileQueries.folder), arguments: [path.data]).map(Self.folder)
    }
  }

  func knownFolders(under folder: PathBytes, after: PathBytes?, limit: Int) throws(LibraryError) -> [KnownFolder] {
    try read { db in
      var folders: [KnownFolder] = []
      if after == nil {
        let here = try db.cachedStatement(sql: FileQueries.folder)
        if let row = try Row.fetchOne(here, arguments: [folder.data]) { folders.append(Self.folder(row)) }
      }
      let (from, to) = folder.below
      // Paths between the folder itself and those that begin with it and a slash do not belong here.
      let start = max(after ?? from, from)
      let rows = try Row.fetchCursor(
        try db.cachedStatement(sql: FileQueries.foldersAfter),
        arguments: [start.data, to.data, Self.limit(limit) - folders.count])
      while let row = try rows.next() { folders.append(Self.folder(row)) }
      return folders
    }
  }

  func knownFile(of digest: ContentDigest) throws(LibraryError) -> KnownFile? {
    try read { db in
      for sql in [FileQueries.lostByDigest, FileQueries.knownByDigest] {
        if let row = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [Data(digest.bytes)]) {
          return try FileRows.known(row)
        }
      }
      return nil
    }
  }

  private static func folder(_ row: Row) -> KnownFolder {
    KnownFolder(
      path: PathBytes(FileRows.bytes(row, 0) ?? []), fingerprint: (row[1] as Int64?).map(UInt64.init(bitPattern:)))
  }

  /// Limits the number of rows that a call returns to 1…1,000.
  static func limit(_ asked: Int) -> Int { min(max(asked, 1), 1_000) }
}

/// Finds files by path, many of them in one folder.
struct PathLookup {
  private let statement: Statement
  private let folders: Statement
  private var folder: (path: ArraySlice<UInt8>, id: Int64?) = ([], nil)

  init(_ db: Database) throws {
    statement = try db.cachedStatement(sql: FileQueries.knownByPath)
    folders = try db.cachedStatement(sql: FileQueries.folderID)
  }

  mutating func file(at path: PathBytes) throws -> KnownFile? {
    let folderPath = path.folder
    if folder.path != folderPath.bytes[...] {
      folder = (folderPath.bytes[...], try Int64.fetchOne(folders, arguments: [folderPath.data]))
    }
    guard let id = folder.id else { return nil }
    return try Row.fetchOne(statement, arguments: [id, Data(path.name)]).map(FileRows.known)
  }
}
