internal import ArgumentParser
internal import MediaLibrary
internal import MediaModel

/// What `mediatool moments` can set of a moment.
struct MomentFields: ParsableArguments {
  @Option(help: ArgumentHelp("With post, post a note with this text.", valueName: "text")) var note: String?
  @Option(help: ArgumentHelp("Set the title; an empty one removes it.", valueName: "text")) var title: String?
  @Option(
    help: ArgumentHelp("Set the caption, or the text of a note; an empty caption is removed.", valueName: "text"))
  var caption: String?

  @Option(
    help: ArgumentHelp(
      """
      Set the time: a day, or a time such as 2024-06-30T12:00:00+02:00, with its offset from UTC if that is known. (default with post: \
      that of the file; for a note, now)
      """,
      valueName: "time"),
    transform: MomentTime.parse)
  var time: MomentTime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Set the location in degrees, or remove it with none.", valueName: "latitude,longitude|none"),
    transform: LocationArgument.parse)
  var location: LocationArgument?

  @Option(
    help: ArgumentHelp(
      """
      Who may see the moment: private (its owner), friends (the owner, and users with the label friends:OWNER) or public (everyone). \
      (default with post: private)
      """,
      valueName: "who"),
    completion: .list(VisibilityArgument.names), transform: VisibilityArgument.parse)
  var visibility: VisibilityArgument?

  @Option(
    help: ArgumentHelp(
      "With post, add the moments to the trip with this id. Repeatable. (default: the owner's open trip, if any)",
      valueName: "trip"),
    transform: Number.parser(1...Number.largest))
  var trip: [Int] = []

  @Option(
    help: ArgumentHelp("Edit or delete only if the moment has this version, as `show` prints it.", valueName: "n"),
    transform: Number.parser(1...Number.largest))
  var ifVersion: Int?

  /// A moment to post with these properties.
  func applied(to moment: Moment.New) -> Moment.New {
    var moment = moment
    if let title, !title.isEmpty { moment.title = title }
    if let caption, !caption.isEmpty { moment.caption = caption }
    if let time { (moment.time, moment.utcOffset) = (time.seconds, time.utcOffset) }
    if let location { moment.location = .given(location.value) }
    if let visibility { moment.visibility = visibility.value }
    if !trip.isEmpty { moment.trips = trip.map { Trip.ID(rawValue: Int64($0)) } }
    return moment
  }

  /// The changes of an existing moment.
  var changes: [Moment.Change] {
    var changes: [Moment.Change] = []
    if let title { changes.append(.title(title.isEmpty ? nil : title)) }
    if let caption { changes.append(.caption(caption.isEmpty ? nil : caption)) }
    if let time { changes.append(.time(time.seconds, utcOffset: time.utcOffset)) }
    if let location { changes.append(.location(location.value)) }
    if let visibility { changes.append(.visibility(visibility.value)) }
    return changes
  }
}

/// The time of a moment: a day, a time with or without an offset from UTC, or so long ago.
struct MomentTime: CheckedArgument {
  /// Seconds since 1970; without an offset of the local time, as if that were UTC.
  let seconds: Int
  /// Seconds east of UTC; nil if it is not known.
  let utcOffset: Int?

  init?(argument: String) {
    if let day = Day(argument: argument) {
      (seconds, utcOffset) = (day.seconds, nil)
    } else if let time = MediaInfo.CaptureTime(iso8601: argument) {
      (seconds, utcOffset) = (time.secondsSince1970, time.utcOffset)
    } else {
      return nil
    }
  }

  static var allowed: String { "a date such as 2024-06-30, a time such as 2024-06-30T12:00:00+02:00, or 7d" }
}
