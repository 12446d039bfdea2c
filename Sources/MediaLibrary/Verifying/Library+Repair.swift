internal import FileSupport
internal import GRDB
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Repairs what can be repaired: damaged and missing files from the copy, the copy from the library, and derived data from the rows of the
  /// catalogue. If no intact rendition exists, its row is removed, and the next scan makes it again. If no intact original exists, its file becomes
  /// vanished. Originals that the catalogue does not know are added as new files. No scan may run at the same time.
  ///
  /// Nothing recoverable is removed. Damaged files and drafts are moved to `damaged`; renditions that no file uses are moved to `orphans`, and back if a file
  /// uses them. After ``daysOfOrphans`` days a repair removes orphans, from the library in one run and from the copy in another. A library that has
  /// a copy, and was opened without it, keeps the rows of missing files.
  ///
  /// A damaged catalogue is replaced by ``rebuild(at:options:accepting:_:)``.
  public func repair(_ found: (VerificationReport.Problem) -> Void = { _ in }) throws(LibraryError)
    -> VerificationReport
  {
    let report = try repair(isRebuilt: false, found)
    let month = Int64(Self.daysOfOrphans) * 86_400
    try removeOrphans(changedBefore: Int64(Date().timeIntervalSince1970) - month)
    return report
  }

  /// - Parameter isRebuilt: Whether the catalogue was just rebuilt: it may lack files that a scan will find again, so no rendition is an orphan.
  func repair(isRebuilt: Bool, _ found: (VerificationReport.Problem) -> Void) throws(LibraryError) -> VerificationReport
  {
    guard access == .writing else {
      throw LibraryError.onlyReading(location.data)
    }
    guard scans.withLock({ $0.count }) == 0 else {
      throw LibraryError(
        .locked, "A scan is running in this process; repair the library when it has ended.",
        path: location.data)
    }
    // Also after a repair that fails: it may have changed rows.
    defer { database.blockedImages.reset() }
    // With a part of its schema missing, an erasure waits for that.
    if try database.read({ db in try CatalogueShape(db).differences() }).isEmpty { try finishErasures() }
    var report = VerificationReport()
    let hasCopy = try LibraryMarker.read(in: location.data)?.hasCopy == true
    let mayLose = options.copy != nil || !hasCopy
    try inspect { (problem) throws(LibraryError) in
      if isRebuilt, case .orphanRendition = problem {
        report.unclaimed += 1
        return
      }
      report.problems[problem.code, default: 0] += 1
      found(problem)
      if try repair(problem, mayLose: mayLose) { report.repaired += 1 }
    } checked: {
      report.checked += $0
    }
    if try database.read({ db in try CatalogueShape(db).differences() }).isEmpty { try finishErasures() }
    return report
  }

  /// - Parameter mayLose: Whether the row of something missing here may be removed; false while a copy may have it.
  private func repair(_ problem: VerificationReport.Problem, mayLose: Bool) throws(LibraryError) -> Bool {
    switch problem {
    case .catalogue: return false
    case .schema: return try database.repairSchema()
    case .damagedRow(let file, _):
      return try database.repairRow(
        of: file, from: options.copy.map { (copy) throws(LibraryError) in try Snapshot.all(in: copy) } ?? [])
    case .derived:
      // All derived data at once; later problems of this kind are repaired then too.
      try database.write { db in try DerivedChecks(db).rebuild() }
    case .missingRendition(let address, let whichStore), .damagedRendition(let address, let whichStore):
      return try repairRendition(address, whichStore, mayLose: mayLose)
    case .orphanRendition(let address, let whichStore):
      let store = sides(renditions.main, renditions.copy, whichStore).store
      try SetAsideFiles(base: store.folder.folder).moveOrphan(address, from: store)
    case .missingOriginal(let path, let whichStore), .damagedOriginal(let path, let whichStore):
      return try repairOriginal(path, whichStore, mayLose: mayLose)
    case .orphanOriginal(let path, .library):
      guard let stamp = FileStamp(at: path) else { return false }
      try database.apply([.discovered(stamp)])
    case .orphanOriginal(let path, .copy):
      // The row was lost, because the catalogue was rebuilt. If the file was being erased, the library has finished that before.
      guard let main = originals.original(of: path), try restore(main, from: path), let stamp = FileStamp(at: main)
      else {
        return try setAsideIfDamaged(path)
      }
      try database.apply([.discovered(stamp)])
    case .damagedDraft(let path): return try drafts.setAside(path, in: SetAsideFiles(base: location.data))
    case .leftover(let path): try StoreFiles.remove(path)
    }
    return true
  }

  private func repairRendition(
    _ address: ContentDigest, _ whichStore: VerificationReport.Problem.Where, mayLose: Bool
  ) throws(LibraryError) -> Bool {
    let (store, other) = sides(renditions.main, renditions.copy, whichStore)
    let aside = [store, other].compactMap { $0.map { SetAsideFiles(base: $0.folder.folder).orphans } }
    for source in (other.map { [$0] } ?? []) + aside where try source.isIntact(address) == true {
      guard let path = source.path(of: address) else { continue }
      // Replaces the existing file.
      _ = try store.putFile(at: path)
      return true
    }
    if whichStore == .library {
      guard mayLose else { return false }
      try database.dropRendition(address)
    }
    // In the copy: the library's own file is repaired first, or missing from both.
    if let path = store.path(of: address) { try SetAsideFiles(base: store.folder.folder).moveDamaged(path) }
    return true
  }

  private func sides(
    _ main: DirectoryStore, _ copy: DirectoryStore?, _ whichStore: VerificationReport.Problem.Where
  ) -> (store: DirectoryStore, other: DirectoryStore?) {
    switch whichStore {
    case .library: (main, copy)
    case .copy: (copy ?? main, main)
    }
  }

  private func repairOriginal(
    _ path: PathBytes, _ whichStore: VerificationReport.Problem.Where, mayLose: Bool
  ) throws(LibraryError) -> Bool {
    switch whichStore {
    case .library:
      if let copy = originals.copy(of: path), try restore(path, from: copy) {
        // A new file with the same bytes.
        guard let stamp = FileStamp(at: path), let known = try database.file(at: path) else { return true }
        try database.apply([.moved(known.id, to: stamp)])
        return true
      }
      guard mayLose, let known = try database.file(at: path) else { return false }
      // Damaged bytes are not the user's file, and are not kept under its name.
      try SetAsideFiles(base: location.data).moveDamaged(path)
      try database.apply([.vanished(known.id)])
      return true
    case .copy:
      guard let main = originals.original(of: path) else { return false }
      return try restore(path, from: main)
    }
  }

  /// Sets a file of the copy's originals aside if its bytes do not match its digest and the library has no better ones.
  private func setAsideIfDamaged(_ path: PathBytes) throws(LibraryError) -> Bool {
    guard let copy = options.copy, let address = Self.address(of: path) else { return false }
    guard try DirectoryStore(folder: path.folder.folder).isIntact(address) == false else { return false }
    try SetAsideFiles(base: copy).moveDamaged(path)
    return true
  }

  private static func address(of path: PathBytes) -> ContentDigest? {
    ContentDigest(hexadecimal: String(decoding: path.folder.name + path.name, as: UTF8.self))
  }

  /// Restores a file of a store from another one if that has the right bytes.
  func restore(_ path: PathBytes, from other: PathBytes) throws(LibraryError) -> Bool {
    let (to, from) = (DirectoryStore(folder: path.folder.folder), DirectoryStore(folder: other.folder.folder))
    guard let address = Self.address(of: path), try from.isIntact(address) == true else { return false }
    // Replaces the existing file.
    return try to.putFile(at: other) == address
  }
}

extension SQLiteCatalogue {
  /// Removes a rendition from all files that have it; the next scan makes it again.
  func dropRendition(_ address: ContentDigest) throws(LibraryError) {
    try write { db in
      let data = Data(address.bytes)
      try db.execute(
        sql: "UPDATE file SET recipe = NULL WHERE content IN (SELECT content FROM rendition WHERE address = ?)",
        arguments: [data])
      try db.execute(
        sql: """
          UPDATE folder SET fingerprint = NULL WHERE id IN (SELECT file.folder FROM rendition CROSS JOIN file
            ON file.content = rendition.content WHERE rendition.address = ?)
          """, arguments: [data])
      try db.execute(sql: "DELETE FROM rendition WHERE address = ?", arguments: [data])
      // It was not erased: remains of it are orphans and not garbage.
      try db.execute(sql: "DELETE FROM garbage WHERE address = ?", arguments: [data])
    }
  }
}
