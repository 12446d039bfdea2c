internal import ArgumentParser
internal import MediaLibrary

/// What `mediatool trip` can set of a trip.
struct TripFields: ParsableArguments {
  @Option(help: ArgumentHelp("The owner of the trip; with list, only trips of this owner.", valueName: "name"))
  var owner: String?
  @Option(help: ArgumentHelp("Set the title.", valueName: "text")) var title: String?
  @Option(help: ArgumentHelp("Set the description; an empty one removes it.", valueName: "text"))
  var description: String?

  @Option(
    help: ArgumentHelp(
      "Set the start: a day in UTC, or a time such as 2024-06-30T12:00:00Z. (default with create: now)",
      valueName: "time"),
    transform: TimeArgument.parse)
  var start: TimeArgument?

  @Option(
    help: ArgumentHelp("Set the end, or open the trip again with open.", valueName: "time|open"),
    transform: TimeArgument.parse)
  var end: TimeArgument?

  @Option(
    help: ArgumentHelp(
      """
      Who may see the trip: private (its owner), friends (the owner, and users with the label friends:OWNER) or public (everyone).
      """,
      valueName: "who"),
    completion: .list(VisibilityArgument.names), transform: VisibilityArgument.parse)
  var visibility: VisibilityArgument?

  @Option(
    help: ArgumentHelp("Make the change only if the trip has this version, as `show` prints it.", valueName: "n"),
    transform: Number.parser(1...Number.largest))
  var ifVersion: Int?

  func validate() throws {
    if let start, start.seconds == nil { throw ValidationError("--start takes a time.") }
  }

  /// A new trip with these properties.
  func new(title: String, now: Int) -> Trip.New {
    var trip = Trip.New(owner: owner ?? "", title: title, started: start?.seconds ?? now)
    (trip.description, trip.ended) = (description, end?.seconds)
    trip.visibility = visibility?.value ?? .private
    return trip
  }

  /// The changes of an existing trip.
  var changes: [Trip.Change] {
    var changes: [Trip.Change] = []
    if let title { changes.append(.title(title)) }
    if let description { changes.append(.description(description.isEmpty ? nil : description)) }
    if let seconds = start?.seconds { changes.append(.started(seconds)) }
    if let end { changes.append(.ended(end.seconds)) }
    if let visibility { changes.append(.visibility(visibility.value)) }
    return changes
  }
}

/// How `mediatool trip path` draws.
struct TripDrawing: ParsableArguments {
  @Flag(help: "With path, print one GeoJSON document instead of a line per section and gap.") var geojson = false

  @Option(
    help: ArgumentHelp(
      "With path, remove points that are not visible at this zoom level, 0 to 20. (default: keep all)", valueName: "n"),
    transform: Number.parser(0...20))
  var zoom: Int?

  @Option(
    help: ArgumentHelp("With path, print at most this many points. (default: 2000)", valueName: "n"),
    transform: Number.parser(2...Number.largest))
  var maxPoints: Int?

  @Option(
    help: ArgumentHelp("With path, treat a longer time between moments as a gap. (default: 24)", valueName: "hours"),
    transform: Number.parser(1...Number.largest))
  var gapHours: Int?

  @Option(
    help: ArgumentHelp("With path, treat a longer distance between moments as a gap. (default: 300)", valueName: "km"),
    transform: Number.parser(1...Number.largest))
  var gapKilometres: Int?

  var rules: Trip.Path.Rules {
    var rules = Trip.Path.Rules()
    rules.zoom = zoom
    if let maxPoints { rules.maxPoints = maxPoints }
    if let gapHours { rules.gapHours = Double(gapHours) }
    if let gapKilometres { rules.gapKilometres = Double(gapKilometres) }
    return rules
  }
}
