internal import GRDB

/// Files that a program hides, and about which moderators decide: a moderator's decision stays.
extension SQLiteCatalogue {
  func isDecided(_ file: FileID) throws(LibraryError) -> Bool {
    try read { db in
      guard let standing = try Self.standing(of: file, db) else { return false }
      return try Self.isDecided(file, standing, db)
    }
  }

  /// Quarantines those of some files that are there, are not hidden yet, and were neither protected nor released. What is decided about a file is read in the
  /// transaction that quarantines it, so that no release and no erasure comes in between.
  func quarantineUndecided(
    _ files: some Sequence<FileID>, _ decision: Moderation.Decision
  ) throws(LibraryError) -> [FileID] {
    try write { db in
      try files.filter { file in
        guard let standing = try Self.standing(of: file, db), standing.quarantine == nil, standing.block == nil,
          try !Self.isDecided(file, standing, db)
        else { return false }
        try Self.setFlag(.quarantined, of: file, decision, db)
        return true
      }
    }
  }

  private static func isDecided(_ file: FileID, _ standing: Moderation.Standing, _ db: Database) throws -> Bool {
    if standing.protection != nil { return true }
    return try isReleased(file, db)
  }
}
