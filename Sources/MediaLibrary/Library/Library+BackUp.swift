internal import FileSupport
internal import GRDB

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Library {
  /// Writes a snapshot of the catalogue into the copy, in addition to earlier ones: only the catalogue has captions, labels and owners.
  ///
  /// The last three snapshots are kept, and earlier ones that hold more. A process that is killed leaves the earlier ones; the next call removes
  /// its unfinished file. Other changes of the catalogue do not wait for it.
  /// - Throws: ``LibraryError/Code/invalidRequest`` without a copy, ``LibraryError/Code/corrupt`` if the new snapshot is damaged, ``LibraryError/Code/busy`` if
  ///   something is erased meanwhile: the snapshot would bring it back, so call it again.
  @discardableResult
  public func backUp() throws(LibraryError) -> SnapshotReport {
    guard let copy = options.copy else {
      throw LibraryError(
        .invalidRequest, "The library was opened without a copy; name one in `Library.Options.copy`.",
        path: location.data)
    }
    return try database.snapshots.take { () throws(LibraryError) in try backUp(into: copy) }
  }

  private func backUp(into copy: PathBytes) throws(LibraryError) -> SnapshotReport {
    try StoreFiles.makeFolder(copy)
    // Only one process writes at a time, so these belong to one that died.
    for name in try StoreFiles.names(in: copy) where name.starts(with: Snapshot.besidePrefix) {
      try StoreFiles.remove(copy.appending(name))
    }
    let earlier = try Snapshot.all(in: copy)
    let snapshot = Snapshot(sequence: (earlier.first?.sequence ?? 0) + 1, in: copy)
    let beside = copy.appending(Snapshot.besidePrefix + Array("\(getpid())".utf8))
    let contents: CatalogueContents
    do throws(LibraryError) {
      try StoreFiles.makeFile(beside)
      try database.vacuum(into: beside)
      contents = try checked(beside)
      try StoreFiles.move(beside, to: snapshot.path)
    } catch {
      _ = try? StoreFiles.remove(beside)
      throw error
    }
    var report = SnapshotReport(path: snapshot.path, contents: contents, fuller: nil)
    let known = earlier.map { one -> CatalogueContents? in
      guard case .catalogue(let contents, _) = CatalogueProbe(path: one.path).look() else { return nil }
      return contents
    }
    for (one, held) in zip(earlier, known) {
      guard let held, held.exceeds(contents), report.fuller.map({ held.isFuller(than: $0.contents) }) ?? true else {
        continue
      }
      report.fuller = (one.path, held)
    }
    for index in Snapshot.superfluous([contents] + known) where index > 0 {
      try StoreFiles.remove(earlier[index - 1].path)
    }
    try StoreFiles.sync(copy)
    database.snapshots.noteSnapshot()
    return report
  }

  /// Writes a snapshot at the end of a scan: if the library has a copy, and the scan has changed anything or the copy has no snapshot yet.
  package func backUp(afterScanWithChanges isChanged: Bool) throws(LibraryError) {
    guard let copy = options.copy else { return }
    let earlier = try Snapshot.all(in: copy)
    if isChanged || earlier.isEmpty { try backUp() }
  }

  /// The contents of a snapshot just written. Fails if it is damaged.
  private func checked(_ path: PathBytes) throws(LibraryError) -> CatalogueContents {
    try CatalogueProbe(path: path).read(in: database.snapshots) { db in
      let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "nothing"
      guard finding == "ok" else {
        throw LibraryError(.corrupt, "The snapshot was damaged while it was written; check the disk.", detail: finding)
      }
      return CatalogueContents(readableIn: db)
    }
  }
}

extension SQLiteCatalogue {
  /// Writes the present state into another file. Changes are made meanwhile, as VACUUM INTO only reads (https://www.sqlite.org/lang_vacuum.html).
  func vacuum(into path: PathBytes) throws(LibraryError) {
    do throws(LibraryError) {
      try Self.mapping(at: path) {
        try using { _ in
          let queue = try DatabaseQueue(path: self.path.description, configuration: snapshotConfiguration)
          defer { try? queue.close() }
          try snapshots.run(on: queue) {
            try queue.inDatabase { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path.description]) }
          }
        }
      }
    } catch {
      var error = error
      // What cannot be read is the catalogue; what cannot be written is the snapshot.
      if error.code == .corrupt { error.path = self.path }
      throw error
    }
    try StoreFiles.syncFile(path)
  }
  /// A connection that only reads, apart from the pool: there is one for writing, which changes would wait for.
  private var snapshotConfiguration: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    let patience = patience
    configuration.busyMode = .callback { patience.waits(after: $0) }
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -8192") }
    return configuration
  }
}
