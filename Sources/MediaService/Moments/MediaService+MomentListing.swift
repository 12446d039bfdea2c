public import MediaLibrary

/// Listings and the map of moments (R-MYM-14, R-MYM-15, R-MYM-16, R-MYM-17).
extension MediaService {
  /// A page of moments, newest or most recently changed first; with words, those whose title and caption have all of them, the newest first.
  /// - Parameters:
  ///   - text: Words. Default nil: all moments.
  ///   - after: The `next` of an earlier page. Default nil: the first page.
  ///   - limit: 1 to 200. Default 50.
  /// - Throws: ``ServiceError/Code/invalidRequest`` for a limit, or a cursor of another listing.
  public func moments(
    _ query: MomentQuery, matching text: String? = nil, by order: Moment.Order = .time, after: String? = nil,
    limit: Int = 50, for caller: Caller
  ) async throws(ServiceError) -> MomentList {
    try caller.require(.read)
    try check(limit: limit)
    if let text { try Self.check(words: text) }
    let scope = try scope(query, for: caller)
    let cursor = after.map(CatalogueFile.Cursor.init)
    return try await list(for: caller) { moments in
      if let text { return try moments.search(text, in: scope, after: cursor, limit: limit) }
      return try moments.newest(scope, by: order, after: cursor, limit: limit)
    }
  }

  /// The clusters of moments in a part of the map. There is no map of what owners show to everyone: locations are shown to friends at most.
  /// - Parameter zoom: 0 to 20; at 0 the world is 256 pixels wide.
  public func momentLocations(
    in bounds: LocationMap.Bounds, zoom: Int, _ query: MomentQuery, for caller: Caller
  ) async throws(ServiceError) -> LocationsAnswer {
    try caller.require(.read)
    try check(zoom: zoom)
    let scope = try scope(query, for: caller)
    let map = try await ServiceError.mapping {
      try await library.readMoments { try $0.locations(in: bounds, zoom: zoom, of: scope) }
    }
    return LocationsAnswer(map)
  }

  /// A page of the moments of a cluster, neighbours together. Those of the first page have positions around its icon.
  public func momentMembers(
    of cluster: String, _ query: MomentQuery, after: String? = nil, limit: Int = 100, for caller: Caller
  ) async throws(ServiceError) -> MomentList {
    try caller.require(.read)
    try check(limit: limit)
    let scope = try scope(query, for: caller)
    let cursor = after.map(CatalogueFile.Cursor.init)
    var list = try await list(for: caller) { moments in
      try moments.members(of: LocationMap.Cluster.ID(rawValue: cluster), in: scope, after: cursor, limit: limit)
    }
    guard after == nil else { return list }
    let offsets = LocationMap.Layout().offsets(of: list.moments.count)
    for index in list.moments.indices where offsets.indices.contains(index) {
      list.moments[index].offset = offsets[index]
    }
    return list
  }

  /// The answer of a page of the library.
  func list(
    for caller: Caller, _ read: @escaping @Sendable (Moments) throws -> Moment.Page
  ) async throws(ServiceError) -> MomentList {
    let page = try await ServiceError.mapping { try await library.readMoments(read) }
    return MomentList(moments: try await describe(page.moments, for: caller), next: page.next?.rawValue)
  }
}
