internal import GRDB
internal import MediaModel

/// A scope as row numbers of the catalogue, and as SQL.
struct RowScope {
  /// Row number of the owner.
  var owner: Int64?
  /// Row number of the collection, which belongs to the owner.
  var collection: Int64?
  /// Row number of the folder.
  var folder: Int64?
  /// In the order of their numbers.
  var kinds: [MediaKind]?
  /// Seconds since 1970.
  var times: Range<Int>?

  /// Consecutive rows of an index, in the order of their times.
  struct IndexRange {
    var index: String
    /// The conditions for each row, apart from its time.
    var conditions: [String]
    /// The values of the question marks in the conditions.
    var arguments: [Int64]
  }

  /// The conditions for a row, for statements with an index of their own.
  struct Filter {
    /// Conditions, each after an `AND`; empty if every row matches.
    var sql = ""
    /// The values of the question marks.
    var arguments: [Int64] = []
  }

  /// Whether the scope has no condition except an owner.
  var isOfOwnerAlone: Bool { collection == nil && folder == nil && kinds == nil && times == nil }

  /// The files of the scope in state `done`, of all times: one range, or one per kind.
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

  /// The conditions for each row of the scope.
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
    IndexRange(
      index: index, conditions: ["file.state = \(CatalogueFile.State.done.sql)", condition], arguments: arguments)
  }

  /// Files of the owner, or all files, by an index of kinds. The conditions must be literally those of the partial indexes.
  private func range(ofKinds name: String?, _ condition: String? = nil) -> IndexRange {
    let index = (["file", owner == nil ? nil : "owner", name] as [String?]).compactMap { $0 }.joined(separator: "_")
    var conditions = ["file.state = \(CatalogueFile.State.done.sql)"]
    if owner != nil { conditions.append("file.owner IS NOT NULL AND file.owner = ?") }
    if let condition { conditions.append(condition) }
    return IndexRange(
      index: index == "file" ? "file_newest" : index, conditions: conditions, arguments: owner.map { [$0] } ?? [])
  }
}

extension RowScope.IndexRange {
  /// The same range without the rows that do not match.
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
  /// Looks up the names of a scope; nil if no file can be in it.
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

  /// The arguments of each range, followed by its times.
  var rangeArguments: StatementArguments {
    ranges.reduce(into: StatementArguments()) { arguments, range in
      arguments += StatementArguments(range.arguments) + [times?.lowerBound ?? .min, times?.upperBound ?? .max]
    }
  }

  private static func id(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
  }
}
