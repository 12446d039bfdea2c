internal import Testing

@testable internal import MediaLibrary

/// Every way in which a library shows moments to an audience.
struct MomentReads {
  let moments: Moments
  let owner: String
  /// The moment that is hidden and shown. At least one other is on the map at the same place.
  let moment: Moment.ID
  /// A trip with the moments.
  let trip: Trip.ID

  /// The number of moments that each read has. The text of each has "words", and the title of the trip "lake".
  func counts(_ audience: Moment.Scope.Audience) throws -> [String: Int] {
    let scope = Moment.Scope(owners: [owner], audience: audience)
    var timed = scope
    timed.times = 0..<1_000_000
    var ofKinds = scope
    ofKinds.kinds = Set(Moment.Kind.allCases)
    let cluster = try #require(try moments.locations(in: .world, zoom: 3, of: .owner(owner)).clusters.first?.id)
    func onMap(_ scope: Moment.Scope) throws -> Int {
      try moments.locations(in: .world, zoom: 3, of: scope).clusters.reduce(0) { $0 + $1.count }
    }
    var counts: [String: Int] = [:]
    counts["moment"] = try moments.moment(moment, in: scope) == nil ? 0 : 1
    counts["newest"] = try moments.newest(scope, after: nil, limit: 9).moments.count
    counts["newest of times"] = try moments.newest(timed, after: nil, limit: 9).moments.count
    counts["activity"] = try moments.newest(scope, by: .activity, after: nil, limit: 9).moments.count
    counts["search"] = try moments.search("words", in: scope, after: nil, limit: 9).moments.count
    counts["map"] = try onMap(scope)
    counts["map of times"] = try onMap(timed)
    counts["map of kinds"] = try onMap(ofKinds)
    counts["members"] = try moments.members(of: cluster, in: scope, after: nil, limit: 9).moments.count
    counts["trip"] = try moments.trip(trip, of: [owner], for: audience)?.moments ?? 0
    let trips = try moments.trips(of: [owner], for: audience, after: nil, limit: 9).trips
    counts["trips"] = trips.first?.moments ?? 0
    let found = try moments.searchTrips("lake", of: [owner], for: audience, after: nil, limit: 9).trips
    counts["trips by words"] = found.first?.moments ?? 0
    let members = try moments.moments(of: trip, of: [owner], for: audience, after: nil, limit: 9).moments
    counts["moments of the trip"] = members.count
    counts["path"] = try moments.path(of: trip, of: [owner], for: audience)?.count ?? 0
    return counts
  }

  /// What ``counts(_:)`` has without the moment.
  static func hidden(_ counts: [String: Int]) -> [String: Int] { counts.mapValues { max(0, $0 - 1) } }
}
