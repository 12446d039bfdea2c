internal import ArgumentParser
internal import MediaLibrary

/// Which moments `mediatool moments` lists.
struct MomentFilters: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With list and map, only moments of this owner; repeatable. With post, the owner. (default: all owners; with post, that of the file)",
      valueName: "name"))
  var owner: [String] = []

  @Option(
    help: ArgumentHelp(
      "With list, show and map, only what these readers see: owner, friends or everyone. (default: owner)",
      valueName: "readers"),
    completion: .list(AudienceArgument.names), transform: AudienceArgument.parse)
  var audience: AudienceArgument?

  @Option(
    help: ArgumentHelp(
      "With list and map, only moments of this kind: photo, video, audio or note. Repeatable.", valueName: "kind"),
    completion: .list(MomentKindArgument.names), transform: MomentKindArgument.parse)
  var kind: [MomentKindArgument] = []

  @Option(
    help: ArgumentHelp(
      "With list and map, only moments on or after this day (UTC), or within a period before now, such as 12h, 7d or 2w.",
      valueName: "yyyy-mm-dd|7d"),
    transform: Day.parse)
  var since: Day?

  @Option(
    help: ArgumentHelp(
      "With list and map, only moments before this day (UTC), or longer ago than a period such as 7d.",
      valueName: "yyyy-mm-dd|7d"),
    transform: Day.parse)
  var until: Day?

  @Option(
    help: ArgumentHelp(
      "With list and map, only moments posted or changed since this day (UTC), or within a period before now.",
      valueName: "yyyy-mm-dd|7d"),
    transform: Day.parse)
  var changedSince: Day?

  @Flag(help: "With list, the most recently changed first. (default: the newest first)") var byChange = false

  /// The moments of these owners, or of all.
  func scope(in library: Library) throws(LibraryError) -> Moment.Scope {
    var scope = Moment.Scope(
      owners: try owner.isEmpty ? library.moments.owners() : owner, audience: audience?.value ?? .owner)
    if !kind.isEmpty { scope.kinds = Set(kind.map(\.value)) }
    if since != nil || until != nil {
      let start = since?.seconds ?? .min
      scope.times = start..<max(start, until?.seconds ?? .max)
    }
    scope.changedSince = changedSince?.seconds
    return scope
  }
}

/// `--audience`: who reads moments.
struct AudienceArgument: CheckedArgument {
  let value: Moment.Scope.Audience

  init?(argument: String) {
    guard let value = Moment.Scope.Audience(rawValue: argument) else { return nil }
    self.value = value
  }

  static var names: [String] { Moment.Scope.Audience.allCases.map(\.rawValue) }
  static var allowed: String { "one of \(names.joined(separator: ", "))" }
}

/// `--kind`: photo, video, audio or note.
struct MomentKindArgument: CheckedArgument {
  let value: Moment.Kind

  init?(argument: String) {
    guard let value = Moment.Kind(rawValue: argument) else { return nil }
    self.value = value
  }

  static var names: [String] { Moment.Kind.allCases.map(\.rawValue) }
  static var allowed: String { "one of \(names.joined(separator: ", "))" }
}
