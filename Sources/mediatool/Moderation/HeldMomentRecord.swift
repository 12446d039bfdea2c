internal import MediaLibrary

/// A moment with what was decided about it, in JSON: the keys of `mediatool trip show`, and the decision.
struct HeldMomentRecord: Encodable {
  private let moment: Moment
  private let standing: Moderation.MomentStanding

  init(_ moment: Moment, _ standing: Moderation.MomentStanding) { (self.moment, self.standing) = (moment, standing) }

  func encode(to encoder: any Encoder) throws {
    try MomentRecord(moment, path: nil).encode(to: encoder)
    try HoldRecord(hold: standing.hold, protection: standing.protection, reports: standing.reports).encode(to: encoder)
  }

  static let columns = [
    Table.Column(title: "MOMENT", width: 8, alignsRight: true),
    Table.Column(title: "OWNER", width: 4...20, priority: 3), Table.Column(title: "BY", width: 4...16, priority: 2),
    Table.Column(title: "REASON", width: 10...40, priority: 1), Table.Column(title: "TITLE OR TEXT", width: 10...60),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(moment.id.rawValue)"), Table.Cell(moment.owner, .quiet), Table.Cell(standing.hold?.actor, .quiet),
      Table.Cell(standing.hold?.reason), Table.Cell(moment.title ?? moment.caption),
    ]
  }
}
