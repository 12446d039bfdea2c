internal import FileSupport
internal import MediaLibrary

/// A trip in JSON.
struct TripRecord: Encodable {
  let trip: Trip

  init(_ trip: Trip) { self.trip = trip }

  private enum Keys: CodingKey {
    case trip, owner, title, description, started, ended, visibility, state, moments, version
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(trip.id, forKey: .trip)
    try container.encode(trip.owner, forKey: .owner)
    try container.encode(trip.title, forKey: .title)
    try container.encodeIfPresent(trip.description, forKey: .description)
    try container.encode(trip.started, forKey: .started)
    try container.encodeIfPresent(trip.ended, forKey: .ended)
    try container.encode(trip.visibility, forKey: .visibility)
    try container.encode(trip.state, forKey: .state)
    try container.encode(trip.moments, forKey: .moments)
    try container.encode(trip.version, forKey: .version)
  }

  static let columns = [
    Table.Column(title: "TRIP", width: 8, alignsRight: true), Table.Column(title: "STARTED", width: 10),
    Table.Column(title: "ENDED", width: 10, priority: 1),
    Table.Column(title: "MOMENTS", width: 7, priority: 3, alignsRight: true),
    Table.Column(title: "OWNER", width: 4...20, priority: 2), Table.Column(title: "TITLE", width: 10...60),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(trip.id.rawValue)"), Table.Cell(TimeArgument.day(trip.started)),
      Table.Cell(trip.ended.map(TimeArgument.day) ?? "open", trip.ended == nil ? .quiet : .plain),
      Table.Cell("\(trip.moments)"), Table.Cell(trip.owner, .quiet), Table.Cell(trip.title),
    ]
  }
}

/// A moment in JSON.
struct MomentRecord: Encodable {
  let moment: Moment
  /// The path of its file, if it has one.
  let path: PathBytes?

  init(_ moment: Moment, path: PathBytes?) { (self.moment, self.path) = (moment, path) }

  private enum Keys: CodingKey {
    case moment, owner, kind, file, title, caption, time, utcOffset, timeSource, location, visibility, state, version,
      created, changed
  }

  func encode(to encoder: any Encoder) throws {
    if let path { try PathKeys.encode(path, as: "path", to: encoder) }
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(moment.id, forKey: .moment)
    try container.encode(moment.owner, forKey: .owner)
    try container.encode(moment.kind, forKey: .kind)
    try container.encodeIfPresent(moment.file, forKey: .file)
    try container.encodeIfPresent(moment.title, forKey: .title)
    try container.encodeIfPresent(moment.caption, forKey: .caption)
    try container.encode(moment.time, forKey: .time)
    try container.encodeIfPresent(moment.utcOffset, forKey: .utcOffset)
    try container.encode(moment.timeSource, forKey: .timeSource)
    try container.encodeIfPresent(moment.location, forKey: .location)
    try container.encode(moment.visibility, forKey: .visibility)
    try container.encode(moment.state, forKey: .state)
    try container.encode(moment.version, forKey: .version)
    try container.encode(moment.created, forKey: .created)
    try container.encode(moment.changed, forKey: .changed)
  }

  static let columns = [
    Table.Column(title: "MOMENT", width: 8, alignsRight: true), Table.Column(title: "DAY", width: 10),
    Table.Column(title: "KIND", width: 5, priority: 2), Table.Column(title: "SEEN BY", width: 7, priority: 1),
    Table.Column(title: "TITLE OR TEXT", width: 10...60),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(moment.id.rawValue)"), Table.Cell(TimeArgument.day(moment.time)),
      Table.Cell(moment.kind.rawValue), Table.Cell(moment.visibility.rawValue, .quiet),
      Table.Cell(moment.title ?? moment.caption ?? path.map { "\($0)" }),
    ]
  }
}

/// A file after `mediatool set`: the keys of `find`, its state, and the ids of its moments.
struct LabelledRecord: Encodable {
  private let file: LibraryRecord
  private let state: String
  private let moments: [Moment.ID]

  init(_ file: CatalogueFile, _ moments: [Moment]) throws(LibraryError) {
    self.file = try LibraryRecord(file)
    state = "\(file.state)"
    self.moments = moments.map(\.id)
  }

  private enum Keys: CodingKey { case state, moments }

  func encode(to encoder: any Encoder) throws {
    try file.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(state, forKey: .state)
    if !moments.isEmpty { try container.encode(moments, forKey: .moments) }
  }
}
