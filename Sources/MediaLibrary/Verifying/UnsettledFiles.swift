internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Distinguishes problems from the traces of a writer that is at work while a library is verified: a scan puts a rendition into the store before
/// the row that names it, and erasing takes the row first.
struct UnsettledFiles {
  enum Verdict {
    /// Something is wrong: no writer can be the reason.
    case problem
    /// A writer that is still running may be about to record it.
    case unsettled
    /// It is settled by now.
    case settled
  }

  let library: Library

  /// Looks at a problem once more. The order matters: first whether somebody writes, then what the catalogue knows by now.
  func evaluate(_ problem: Library.VerificationReport.Problem) throws(LibraryError) -> Verdict {
    switch problem {
    case .catalogue, .derived, .schema, .damagedRow, .damagedDraft: return .problem
    case .missingRendition(let address, let side):
      let store = store(side)
      guard try library.database.uses(address), try !store.contains(address), try library.database.uses(address) else {
        return .settled
      }
      return .problem
    case .damagedRendition(let address, let side):
      guard try library.database.uses(address) else { return .settled }
      return try store(side).isIntact(address) == true ? .settled : .problem
    case .orphanRendition(let address, let side):
      return try orphan(at: store(side).path(of: address)) { () throws(LibraryError) in
        if try library.database.uses(address) { return true }
        return try library.database.isGarbage(address)
      }
    case .missingOriginal(let path, let side), .damagedOriginal(let path, let side):
      let original = side == .library ? path : library.originals.original(of: path) ?? path
      guard try library.database.needs(original) else { return .settled }
      if case .damagedOriginal = problem { return .problem }
      guard StoreFiles.size(path) == nil else { return .settled }
      return try library.database.needs(original) ? .problem : .settled
    case .orphanOriginal(let path, let side):
      let original = side == .library ? path : library.originals.original(of: path) ?? path
      return try orphan(at: path) { () throws(LibraryError) in try library.database.file(at: original) != nil }
    case .leftover(let path): return try orphan(at: path) { false }
    }
  }

  private func orphan(at path: PathBytes?, isKnown: () throws(LibraryError) -> Bool) throws(LibraryError) -> Verdict {
    let since = library.writesSince()
    guard let path, let status = try? FileStatus(at: path, followsLinks: false) else { return .settled }
    if let since, status.changed >= since { return .unsettled }
    return try isKnown() ? .settled : .problem
  }

  private func store(_ side: Library.VerificationReport.Problem.Where) -> DirectoryStore {
    side == .library ? library.renditions.main : library.renditions.copy ?? library.renditions.main
  }
}

extension SQLiteCatalogue {
  /// Whether a file has the rendition at an address.
  func uses(_ address: ContentDigest) throws(LibraryError) -> Bool {
    try exists("SELECT 1 FROM rendition WHERE address = ?", [Data(address.bytes)])
  }

  /// Whether the rendition at an address was erased, and the next writer removes its bytes.
  fileprivate func isGarbage(_ address: ContentDigest) throws(LibraryError) -> Bool {
    try exists("SELECT 1 FROM garbage WHERE address = ?", [Data(address.bytes)])
  }

  /// Whether the original at a path must exist.
  fileprivate func needs(_ path: PathBytes) throws(LibraryError) -> Bool {
    try exists(
      """
      SELECT 1 FROM folder CROSS JOIN file ON file.folder = folder.id WHERE folder.path = ? AND file.name = ?
        AND (file.state <> \(CatalogueFile.State.vanished.sql) OR file.before = \(CatalogueFile.State.new.sql))
      """, [path.folder.data, Data(path.name)])
  }

  private func exists(_ sql: String, _ arguments: StatementArguments) throws(LibraryError) -> Bool {
    try read { db in try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))", arguments: arguments) == true }
  }
}
