internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Compares all stored bytes with their digests, the stores with the catalogue, and the catalogue with itself. Changes nothing.
  ///
  /// May run while a scan writes: what the scan has stored and not yet recorded is no problem, but ``Library/VerificationReport/unsettled``.
  /// - Parameter found: Called with each problem, of which there may be any number.
  public func verify(_ found: (VerificationReport.Problem) -> Void = { _ in }) throws(LibraryError)
    -> VerificationReport
  {
    var report = VerificationReport()
    let unsettled = UnsettledFiles(library: self)
    try inspect { (problem) throws(LibraryError) in
      switch try unsettled.evaluate(problem) {
      case .settled: break
      case .unsettled: report.unsettled += 1
      case .problem:
        report.problems[problem.code, default: 0] += 1
        found(problem)
      }
    } checked: {
      report.checked += $0
    }
    return report
  }

  /// Checks everything. Problems may be repaired as they are found.
  func inspect(
    _ found: (VerificationReport.Problem) throws(LibraryError) -> Void, checked: (Int) -> Void
  ) throws(LibraryError) {
    let differences = try database.read { db in try CatalogueShape(db).differences() }
    for difference in differences { try found(.schema(detail: difference.description)) }
    do throws(LibraryError) {
      try inspectWhole(found, checked: checked)
    } catch {
      // Without all of its parts not everything can be asked; what is missing was reported.
      guard !differences.isEmpty, error.code == .system else { throw error }
    }
  }

  private func inspectWhole(
    _ found: (VerificationReport.Problem) throws(LibraryError) -> Void, checked: (Int) -> Void
  ) throws(LibraryError) {
    let integrity = try database.read { db in try DerivedChecks(db).integrity() }
    for detail in integrity { try found(.catalogue(detail: detail)) }
    try inspectRows(found)
    // After the rows, whose repair changes what follows from them.
    for detail in try database.read({ db in try DerivedChecks(db).findings() }) { try found(.derived(detail: detail)) }

    for one in try verifiedStores() {
      let count = try one.comparison.run { (address, finding) throws(LibraryError) in
        if let problem = one.problem(address, finding) { try found(problem) }
      }
      checked(count)
      for path in try one.store.leftovers() { try found(.leftover(path)) }
    }
    for path in try drafts.damaged() { try found(.damagedDraft(path)) }
  }

  private func inspectRows(_ found: (VerificationReport.Problem) throws(LibraryError) -> Void) throws(LibraryError) {
    var after: FileID?
    repeat {
      let page = try database.read { db in try RowChecks(db).page(after: after) }
      for finding in page.findings { try found(.damagedRow(finding.file, detail: finding.detail)) }
      after = page.last
    } while after != nil
    for finding in try database.read({ db in try RowChecks(db).damagedRenditions() }) {
      try found(.damagedRow(finding.file, detail: finding.detail))
    }
  }

  /// The names of the owners' folders in the library, its copy and the catalogue.
  func originalFolders() throws(LibraryError) -> [[UInt8]] {
    var names = Set(try StoreFiles.names(in: location.originals))
    if let copy = originals.copy { names.formUnion(try StoreFiles.names(in: copy)) }
    var after: PathBytes?
    while true {
      let page = try database.knownFolders(under: location.originals, after: after, limit: 1_000)
      for folder in page where folder.path != location.originals {
        let rest = folder.path.bytes[(location.originals.bytes.count + 1)...]
        names.insert(Array(rest.prefix { $0 != PathBytes.slash }))
      }
      guard let last = page.last else { break }
      after = last.path
    }
    return names.filter { ContentDigest(hexadecimal: String(decoding: $0, as: UTF8.self)) != nil }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension SQLiteCatalogue {
  /// Addresses of the renditions of files, in order, each once.
  func renditionAddresses(after: ContentDigest?, limit: Int) throws(LibraryError) -> [ContentDigest] {
    try read { db in
      let sql =
        "SELECT DISTINCT address FROM rendition WHERE address > ? AND typeof(address) = 'blob' ORDER BY address LIMIT ?"
      return try Data.fetchAll(db, sql: sql, arguments: [Data(after?.bytes ?? []), limit])
        .compactMap { ContentDigest(bytes: $0) }
    }
  }

  /// Addresses of the originals in an owner's store, in order; those of at least one of its 256 folders.
  func originalAddresses(in store: DirectoryStore, after: ContentDigest?) throws(LibraryError) -> [ContentDigest] {
    try read { db in
      var found: [ContentDigest] = []
      let start = after.flatMap { store.path(of: $0) }
      var folder = start?.folder ?? store.folder.appending([0x30, 0x30])
      var name = start?.name ?? []
      let end = store.folder.below.to
      while true {
        let names = try Data.fetchAll(
          db,
          sql: """
            SELECT file.name FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
            WHERE folder.path = ? AND file.name > ? AND instr(file.name, x'00') = 0
              AND (file.state <> \(CatalogueFile.State.vanished.sql) OR file.before = \(CatalogueFile.State.new.sql)) ORDER BY file.name LIMIT 1000
            """, arguments: [folder.data, Data(name)])
        found += names.compactMap {
          ContentDigest(hexadecimal: String(decoding: folder.name + $0, as: UTF8.self))
        }
        if !found.isEmpty { return found }
        let next = try Data.fetchOne(
          db, sql: "SELECT path FROM folder WHERE path > ? AND path < ? ORDER BY path LIMIT 1",
          arguments: [folder.data, end.data])
        guard let next else { return [] }
        (folder, name) = (PathBytes(next), [])
      }
    }
  }
}
