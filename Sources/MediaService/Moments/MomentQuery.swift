public import MediaLibrary

extension MediaService {
  /// The moments that a listing has.
  public struct MomentQuery: Sendable {
    /// Which moments the caller reads: its own, those that friends show it, or those that owners show to everyone. Default: its own.
    public var audience = Moment.Scope.Audience.owner
    /// The owners. Others than those whom the caller may read in this audience are skipped. Default nil: the caller; for friends, all owners whose friend
    /// the caller is.
    public var owners: [String]?
    /// The kinds. Default nil: all.
    public var kinds: Set<Moment.Kind>?
    /// The times in seconds since 1970. Default nil: all.
    public var times: Range<Int>?
    /// The earliest time of the last change in seconds since 1970, for recent activity. Default nil: any.
    public var changedSince: Int?

    /// All moments of the caller.
    public init() {}
  }

  /// What a query covers for a caller.
  /// - Throws: ``ServiceError/Code/invalidRequest`` for too many owners, and for everyone's moments without an owner.
  func scope(_ query: MomentQuery, for caller: Caller) throws(ServiceError) -> Moment.Scope {
    Moment.Scope(
      owners: try owners(query.owners, query.audience, for: caller), audience: query.audience, kinds: query.kinds,
      times: query.times, changedSince: query.changedSince)
  }

  /// The owners whom the caller may read in an audience. Whoever is of a closer audience may read as one of a wider one.
  func owners(
    _ names: [String]?, _ audience: Moment.Scope.Audience, for caller: Caller
  ) throws(ServiceError) -> [String] {
    let limit = configuration.limits.batch
    if let count = names?.count, count > limit {
      throw ServiceError(
        .invalidRequest, "A request can have at most \(limit) owners.", numbers: ["limit": limit, "actual": count])
    }
    let all: [String] =
      switch (names, audience) {
      case (let names?, _): names
      case (nil, .owner): [caller.owner]
      case (nil, .friends): caller.friends
      case (nil, .everyone):
        throw ServiceError(
          .invalidRequest, "`owner` is missing; name the owners whose public moments and trips to list.")
      }
    // Those that the token names.
    if names == nil { return all }
    return all.filter { name in
      switch audience {
      case .owner: caller.audience(of: name) == .owner
      case .friends: caller.audience(of: name) != .everyone
      case .everyone: true
      }
    }
  }

  /// Fails for a number of rows that no page has.
  func check(limit: Int) throws(ServiceError) {
    let limits = FieldLimits.page
    guard limits.contains(limit) else {
      throw ServiceError(
        .invalidRequest, "`limit` must be from \(limits.lowerBound) to \(limits.upperBound).",
        numbers: ["limit": limits.upperBound, "actual": limit])
    }
  }

  /// Fails for words of a search that are too long.
  static func check(words: String) throws(ServiceError) {
    let (limit, length) = (FieldLimits.words, words.utf8.count)
    guard length > limit else { return }
    throw ServiceError(
      .invalidRequest, "`q` has \(length) bytes; the limit is \(limit).",
      numbers: ["limit": limit, "actual": length])
  }

  /// Fails for a zoom level that no map has.
  func check(zoom: Int) throws(ServiceError) {
    let limits = FieldLimits.zoom
    guard limits.contains(zoom) else {
      throw ServiceError(
        .invalidRequest, "`zoom` must be from \(limits.lowerBound) to \(limits.upperBound).",
        numbers: ["limit": limits.upperBound, "actual": zoom])
    }
  }
}
