internal import GRDB

/// Labels of many files in one transaction: the disk is awaited once, and words and grid cells are updated once.
extension SQLiteCatalogue {
  func setLabels(_ labels: [(file: FileID, label: CatalogueFile.Label)]) throws(LibraryError) {
    if labels.isEmpty { return }
    try write { db in
      for (file, label) in labels { try Self.set(label, of: file, db) }
    }
  }

  /// Sets a label of a file, which must exist.
  static func set(_ label: CatalogueFile.Label, of file: FileID, _ db: Database) throws {
    switch label {
    case .title(let title): try set("title = ?", [title], of: file, db)
    case .caption(let caption): try set("caption = ?", [caption], of: file, db)
    case .location(let location): try set(locationColumns, values(of: location), of: file, db)
    case .owner(let owner, let collection): try assign([file], owner: owner, collection: collection, db)
    }
  }

  static let locationColumns = "latitude = ?, longitude = ?, altitude = ?, location_source = ?, location = ?"

  static func values(of location: Location?) -> [(any DatabaseValueConvertible)?] {
    [
      location?.latitude, location?.longitude, location?.altitude,
      location?.source.rawValue ?? Location.Source.user.rawValue, location?.code,
    ]
  }

  /// Changes columns of a file, which must exist.
  static func set(
    _ columns: String, _ values: [(any DatabaseValueConvertible)?], of file: FileID, _ db: Database
  ) throws {
    let arguments: [(any DatabaseValueConvertible)?] = values + [file.rawValue]
    try db.cachedStatement(sql: "UPDATE file SET \(columns) WHERE id = ?")
      .execute(arguments: StatementArguments(arguments))
    guard db.changesCount > 0 else { throw unknownFile(file) }
  }

  static func unknownFile(_ file: FileID) -> LibraryError {
    LibraryError(
      .invalidRequest, "The library has no file with this id; list the files again.", detail: "file \(file.rawValue)")
  }
}
