internal import GRDB

/// A scope of moments as row numbers of the catalogue, and as SQL.
struct MomentScope {
  /// Row numbers of the owners.
  let owners: [Int64]
  /// The least `reach` of a moment that is listed.
  let reach: Int64
  let times: Range<Int>?
  let filter: Filter

  /// Conditions for each row, each after an `AND`, with the values of their question marks.
  struct Filter {
    var sql = ""
    var arguments: [Int64] = []
  }

  /// - Parameter showsOnlyClean: ``Library/Options/showsOnlyClean``.
  init(_ scope: Moment.Scope, showsOnlyClean: Bool, _ db: Database) throws {
    reach = scope.audience.reach
    times = scope.times
    let byName = try db.cachedStatement(sql: "SELECT id FROM owner WHERE name = ?")
    // By bytes, as the catalogue distinguishes owners: Swift takes canonically equivalent names as equal.
    var seen: Set<[UInt8]> = []
    var owners: [Int64] = []
    let isEmpty = scope.kinds?.isEmpty == true || scope.times?.isEmpty == true
    for name in scope.owners where !isEmpty && seen.insert(Array(name.utf8)).inserted {
      if let id = try Int64.fetchOne(byName, arguments: [name]) { owners.append(id) }
    }
    self.owners = owners
    var filter = Filter(sql: Self.condition(for: scope.audience, showsOnlyClean: showsOnlyClean))
    // Without kinds there are no owners. SQLite uses no index for an empty list, and fails where a statement names one.
    if let kinds = scope.kinds, !kinds.isEmpty {
      filter.sql += " AND moment.kind IN (\(kinds.map { "\($0.number)" }.sorted().joined(separator: ", ")))"
    }
    if let since = scope.changedSince {
      filter.sql += " AND moment.changed >= ?"
      filter.arguments.append(Int64(since))
    }
    self.filter = filter
  }

  /// The condition that leaves out moments of files that were not found clean; empty for their owner, and if there is none.
  static func condition(for audience: Moment.Scope.Audience, showsOnlyClean: Bool) -> String {
    guard showsOnlyClean, audience != .owner else { return "" }
    return """
       AND (moment.file IS NULL OR EXISTS (SELECT 1 FROM file AS own CROSS JOIN content ON content.id = own.content
        CROSS JOIN verdict ON verdict.digest = content.digest WHERE own.id = moment.file AND verdict.state = 1))
      """
  }

  /// The filter with the times, for statements whose index has no times.
  var timed: Filter {
    guard let times else { return filter }
    var timed = filter
    timed.sql += " AND moment.time >= ? AND moment.time < ?"
    timed.arguments += [Int64(times.lowerBound), Int64(times.upperBound)]
    return timed
  }

  /// Whether stored sums of the map have what the scope covers.
  var hasCells: Bool { times == nil && filter.sql.isEmpty }
}

extension Moment.Scope.Audience {
  /// The least `reach` of a row that the audience sees.
  var reach: Int64 {
    switch self {
    case .owner: 1
    case .friends: 2
    case .everyone: 3
    }
  }
}
