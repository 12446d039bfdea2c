internal import GRDB

/// A scope of moments as row numbers of the catalogue, and as SQL.
struct MomentScope {
  /// Row numbers of the owners.
  let owners: [Int64]
  /// The least `reach` of a moment that is listed.
  let reach: Int64
  let times: Range<Int>?
  /// The earliest time of the last change.
  let changedSince: Int?
  let filter: Filter
  /// Whether it leaves out what is not clean.
  let isClean: Bool
  /// Whether stored sums of the map have what the scope covers.
  let hasCells: Bool

  /// Conditions for each row, each after an `AND`, with the values of their question marks.
  struct Filter {
    var sql = ""
    var arguments: [Int64] = []
  }

  /// - Parameter showsOnlyClean: ``Library/Options/showsOnlyClean``.
  init(_ scope: Moment.Scope, showsOnlyClean: Bool, _ db: Database) throws {
    reach = scope.audience.reach
    (times, changedSince) = (scope.times, scope.changedSince)
    hasCells = scope.times == nil && scope.changedSince == nil && scope.kinds == nil
    let byName = try db.cachedStatement(sql: "SELECT id FROM owner WHERE name = ?")
    // By bytes, as the catalogue distinguishes owners: Swift takes canonically equivalent names as equal.
    var seen: Set<[UInt8]> = []
    var owners: [Int64] = []
    let isEmpty = scope.kinds?.isEmpty == true || scope.times?.isEmpty == true
    for name in scope.owners where !isEmpty && seen.insert(Array(name.utf8)).inserted {
      if let id = try Int64.fetchOne(byName, arguments: [name]) { owners.append(id) }
    }
    self.owners = owners
    let condition = Self.condition(for: scope.audience, showsOnlyClean: showsOnlyClean)
    isClean = !condition.isEmpty
    var filter = Filter(sql: condition)
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
    showsOnlyClean && audience != .owner ? clean : ""
  }

  /// The condition of moments that have no file, or one that was found clean.
  static let clean = " AND moment.clean"

  /// The filter with the times, for statements whose index has no times.
  var timed: Filter {
    guard let times else { return filter }
    var timed = filter
    timed.sql += " AND moment.time >= ? AND moment.time < ?"
    timed.arguments += [Int64(times.lowerBound), Int64(times.upperBound)]
    return timed
  }
}

extension Moment.Scope.Audience: NumberedCase {
  /// SQL of the `reach` of a row that nobody sees.
  static let nobody = "0"

  /// The number in the catalogue, which never changes.
  var number: Int64 { reach }

  /// The least `reach` of a row that the audience sees.
  var reach: Int64 {
    switch self {
    case .owner: 1
    case .friends: 2
    case .everyone: 3
    }
  }
}
