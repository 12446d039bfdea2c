internal import Foundation
internal import MediaLibrary

@testable internal import MediaService

/// Every way in which the service shows moments of an owner to a friend.
struct FriendReads {
  let service: MediaService
  let friend: Caller
  /// The moment that is hidden and shown.
  let moment: Moment.ID
  /// A trip with the moment, whose title is "Lake".
  let trip: Trip.ID
  /// The cluster in which it is.
  let cluster: LocationMap.Cluster.ID

  /// The number of moments that each read has. For the words "rude".
  func counts() async throws -> [String: Int] { try await answers().mapValues { $0.count } }

  /// The answers in JSON.
  func text() async throws -> String { try await answers().values.map { $0.json }.joined(separator: "\n") }

  private func answers() async throws -> [String: (count: Int, json: String)] {
    var query = MediaService.MomentQuery()
    query.audience = .friends
    var answers: [String: (count: Int, json: String)] = [:]
    func add(_ name: String, _ answer: some Encodable, _ count: Int) throws {
      answers[name] = (count, String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
    }
    if let found = try? await service.moment(moment, for: friend) {
      try add("moment", found, 1)
    } else {
      answers["moment"] = (0, "")
    }
    let newest = try await service.moments(query, for: friend)
    try add("newest", newest, newest.moments.count)
    let active = try await service.moments(query, by: .activity, for: friend)
    try add("activity", active, active.moments.count)
    let found = try await service.moments(query, matching: "rude", for: friend)
    try add("search", found, found.moments.count)
    let map = try await service.momentLocations(in: .world, zoom: 3, query, for: friend)
    try add("map", map, map.clusters.reduce(0) { $0 + $1.count })
    let members = try await service.momentMembers(of: cluster.rawValue, query, for: friend)
    try add("members", members, members.moments.count)
    let one = try await service.trip(trip, for: friend)
    try add("trip", one, one.moments)
    let trips = try await service.trips(query, for: friend)
    try add("trips", trips, trips.trips.first?.moments ?? 0)
    let search = try await service.trips(query, matching: "lake", for: friend)
    try add("trips by words", search, search.trips.first?.moments ?? 0)
    let ofTrip = try await service.moments(of: trip, for: friend)
    try add("moments of the trip", ofTrip, ofTrip.moments.count)
    let path = try await service.path(of: trip, for: friend)
    try add("path", path, path.features.count)
    return answers
  }
}
