internal import MediaLibrary

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
