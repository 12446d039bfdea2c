internal import Foundation
internal import MediaLibrary

/// Decisions about the texts of trips.
extension Moderate {
  /// Applies a decision to the trips of the command line, and prints each.
  /// - Returns: Whether the library has all of them; those that it does not have are reported.
  func decideOnTrips(_ library: Library, _ output: ModerationOutput) throws -> Bool {
    let moderation = library.moderation
    let ids = try trip.map { Trip.ID(rawValue: Int64($0)) }.filter { id in
      if try moderation.trip(id) != nil { return true }
      Diagnostics.note("trip \(id.rawValue) is not in the library")
      return false
    }
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    switch action {
    case .hold: try moderation.hold(trips: ids, reason: reason, by: actor, at: now)
    case .release: try moderation.release(trips: ids, reason: reason, by: actor, at: now)
    case .protect: try moderation.protect(trips: ids, reason: reason, by: actor, at: now)
    case .unprotect: try moderation.unprotect(trips: ids, reason: reason, by: actor, at: now)
    case .dismiss: try moderation.dismissReports(aboutTrips: ids, reason: reason, by: actor, at: now)
    default: break
    }
    for id in ids { try output.write(id) }
    return ids.count == trip.count
  }
}

/// A trip with what was decided about it, in JSON: the keys of `mediatool trip list`, and the decision.
struct HeldTripRecord: Encodable {
  private let trip: Trip
  private let standing: Moderation.TripStanding

  init(_ trip: Trip, _ standing: Moderation.TripStanding) { (self.trip, self.standing) = (trip, standing) }

  private enum Keys: CodingKey { case hold, protection, reports }

  func encode(to encoder: any Encoder) throws {
    try TripRecord(trip).encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encodeIfPresent(standing.hold, forKey: .hold)
    try container.encodeIfPresent(standing.protection, forKey: .protection)
    try container.encode(standing.reports, forKey: .reports)
  }

  static let columns = [
    Table.Column(title: "TRIP", width: 8, alignsRight: true),
    Table.Column(title: "OWNER", width: 4...20, priority: 3), Table.Column(title: "BY", width: 4...16, priority: 2),
    Table.Column(title: "REASON", width: 10...40, priority: 1), Table.Column(title: "TITLE", width: 10...60),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(trip.id.rawValue)"), Table.Cell(trip.owner, .quiet), Table.Cell(standing.hold?.actor, .quiet),
      Table.Cell(standing.hold?.reason), Table.Cell(trip.title),
    ]
  }
}
