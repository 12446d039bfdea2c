internal import MediaLibrary

/// A trip with what was decided about it, in JSON: the keys of `mediatool trip list`, and the decision.
struct HeldTripRecord: Encodable {
  private let trip: Trip
  private let standing: Moderation.TripStanding

  init(_ trip: Trip, _ standing: Moderation.TripStanding) { (self.trip, self.standing) = (trip, standing) }

  func encode(to encoder: any Encoder) throws {
    try TripRecord(trip).encode(to: encoder)
    try HoldRecord(hold: standing.hold, protection: standing.protection, reports: standing.reports).encode(to: encoder)
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
