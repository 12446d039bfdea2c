internal import GRDB
internal import MediaModel

/// A scope in the numbers of the catalogue, and as SQL.
struct RowScope {
  /// The number of the owner.
  var owner: Int64?
  /// The number of the collection, which is the owner's.
  var collection: Int64?
  /// The number of the folder.
  var folder: Int64?
  /// In the order of their numbers.
  var kinds: [MediaKind]?
  /// Seconds since 1970.
  var times: Range<Int>?

  /// Rows that an index has one after another, in the order of their times.
  struct IndexRange {
    var index: String
    /// What holds of each row, but for its time.
    var conditions: [String]
    /// What stands for the question marks in these.
    var arguments: [Int64]
  }

  /// What a row has to have, for statements with an index of their own.
  struct Filter {
    /// Conditions, each behind an `AND`; empty when every row fits.
    var sql = ""
    /// What stands for the question marks in these.
    var arguments: [Int64] = []
  }

  /// Whether nothing but an owner is said, if that.
  var isOfOwnerAlone: Bool { collection == nil && folder == nil && kinds == nil && times == nil }

  /// The files of the scope that are done, of all times: one range, or one for each kind.
  var ranges: [IndexRange] {
    if let collection {
      return [
        range("file_collection", "file.collection IS NOT NULL AND file.collection = ?", collection)
          .filtered(folder: folder, kinds: kinds)
      ]
    }
    if let folder { return [range("file_folder", "file.folder = ?", folder).filtered(owner: owner, kinds: kinds)] }
    guard let kinds else { return [range(ofKinds: nil)] }
    if kinds == [.image, .video] { return [range(ofKinds: "visual", "file.kind <= \(MediaKind.video.sql)")] }
    return kinds.map { range(ofKinds: "kind", "file.kind = \($0.sql)") }
  }

  /// What each row of the scope has.
  var filter: Filter {
    var rows = IndexRange(index: "", conditions: [""], arguments: [])
      .filtered(owner: owner, collection: collection, folder: folder, kinds: kinds)
    if let times {
      rows.conditions.append("file.time >= ? AND file.time < ?")
      rows.arguments += [Int64(times.lowerBound), Int64(times.upperBound)]
    }
    return Filter(sql: rows.conditions.joined(separator: " AND "), arguments: rows.arguments)
  }

  private func range(_ index: String, _ condition: String, _ arguments: Int64...) -> IndexRange {
    IndexRange(index: index, conditions: ["file.state = \(FileState.done.sql)", condition], arguments: arguments)
  }

  /// Files of the owner, or of all, by an index of the kinds. The conditions are word for word those of the partial indexes.
  private func range(ofKinds name: String?, _ condition: String? = nil) -> IndexRange {
    let index = (["file", owner == nil ? nil : "owner", name] as [String?]).compactMap { $0 }.joined(separator: "_")
    var conditions = ["file.state = \(FileState.done.sql)"]
    if owner != nil { conditions.append("file.owner IS NOT NULL AND file.owner = ?") }
    if let condition { conditions.append(condition) }
    return IndexRange(
      index: index == "file" ? "file_newest" : index, conditions: conditions, arguments: owner.map { [$0] } ?? [])
  }
}

extension RowScope.IndexRange {
  /// The same, without the rows that do not fit.
  fileprivate func filtered(
    owner: Int64? = nil, collection: Int64? = nil, folder: Int64? = nil, kinds: [MediaKind]?
  ) -> Self {
    var range = self
    for (column, number) in [("owner", owner), ("collection", collection), ("folder", folder)] {
      guard let number else { continue }
      range.conditions.append("file.\(column) = ?")
      range.arguments.append(number)
    }
    if let kinds { range.conditions.append("file.kind IN (\(kinds.map(\.sql).joined(separator: ", ")))") }
    return range
  }
}

extension RowScope {
  /// Looks up the names of a scope; nil when no file can be in it.
  init?(_ scope: CatalogueScope, _ db: Database) throws {
    if let name = scope.owner {
      guard let id = try Self.id("SELECT id FROM owner WHERE name = ?", [name], db) else { return nil }
      owner = id
    }
    if let name = scope.collection {
      let sql = "SELECT id FROM collection WHERE owner = ? AND name = ?"
      guard let owner, let id = try Self.id(sql, [owner, name], db) else { return nil }
      collection = id
    }
    if let path = scope.folder {
      guard let id = try Self.id(FileQueries.folderID, [path.data], db) else { return nil }
      folder = id
    }
    if scope.kinds?.isEmpty == true || scope.times?.isEmpty == true { return nil }
    kinds = scope.kinds?.sorted { $0.number < $1.number }
    times = scope.times
  }

  /// For each range its arguments and its times.
  var rangeArguments: StatementArguments {
    ranges.reduce(into: StatementArguments()) { arguments, range in
      arguments += StatementArguments(range.arguments) + [times?.lowerBound ?? .min, times?.upperBound ?? .max]
    }
  }

  private static func id(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
  }
}
