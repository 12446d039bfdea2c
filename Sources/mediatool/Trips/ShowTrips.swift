internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// `mediatool trip`: lists, changes and draws the trips of a library.
struct ShowTrips: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trip",
    abstract: "List, create, edit and delete trips, and print the path of a trip as GeoJSON.",
    discussion: """
      A trip is an ordered list of one owner's moments: photos, videos, audio files and notes. A moment can be in several trips. A trip without \
      an end is open: new moments of its owner are added to it.

      ACTIONS
        list [WORD ...]           lists trips, or only those with all words in title
                                  or description
        show TRIP                 prints a trip and its moments
        create TITLE              creates a trip; needs --owner
        edit TRIP                 changes --title, --description, --start, --end,
                                  --visibility
        add TRIP [FILE ...]       adds files by path or id, moments with --moment,
                                  a note with --note
        remove TRIP MOMENT ...    removes moments from a trip; the moments stay
        order TRIP [MOMENT ...]   moves these moments to the front; with --by-time,
                                  sorts all by time
        delete TRIP               deletes a trip; its moments stay, unless
                                  --with-moments is given
        path TRIP                 prints the path: a line per section and gap, or
                                  with --geojson one document (RFC 7946)

      The path has the moments with a location, ordered by time; a moment whose UTC offset is unknown follows the moment before it in the trip. Moments that are \
      far apart in time or distance have a gap between them, and a section is the part between two gaps. --if-version refuses a change if \
      the trip was changed since that version. Prints JSON when standard output is not a terminal, or with --json.

      EXAMPLES
        mediatool trip create "Around the lake" --owner ada --start 2024-06-01
        mediatool trip add 3 lake-*.jpg
        mediatool trip add 3 --note "The ferry was late" --location 46.55,7.89
        mediatool trip order 3 --by-time
        mediatool trip path 3 --geojson --zoom 8 > lake.geojson
        mediatool trip delete 3

      EXIT STATUS
        0    the action succeeded
        1    some files are not in the library, and the others were added; or a
             trip was deleted, but traces remain: `notWiped` says why,
             `notErased` lists files to remove
        64   the command line is invalid, or there is no library or no such trip
        70   the library cannot be read or written
      """)

  /// What to do.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case list, show, create, edit, add, remove, order, delete, path
  }

  @Argument(help: ArgumentHelp("What to do.", valueName: "action")) var action: Action
  @Argument(
    help: ArgumentHelp("The id of a trip, a title or words, then files or moments.", valueName: "argument"),
    completion: .file())
  var arguments: [PathArguments] = []

  @OptionGroup var fields: TripFields
  @OptionGroup var drawing: TripDrawing

  @Option(
    help: ArgumentHelp("With add, add the moment with this id. Repeatable.", valueName: "moment"),
    transform: Number.parser(1...Number.largest))
  var moment: [Int] = []

  @Option(help: ArgumentHelp("With add, add a note with this text.", valueName: "text")) var note: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With add, set the location of the note.", valueName: "latitude,longitude"),
    transform: LocationArgument.parse)
  var location: LocationArgument?

  @Option(
    help: ArgumentHelp("With add, add before this moment. (default: at the end)", valueName: "moment"),
    transform: Number.parser(1...Number.largest))
  var before: Int?

  @Flag(help: "With order, arrange all moments by time.") var byTime = false
  @Flag(help: "With list, sort by title. (default: the most recently started first)") var byTitle = false
  @Flag(help: "With delete, also erase the moments that are in no other trip.") var withMoments = false

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions<CopyForDelete>
  @OptionGroup var listing: ListingOptions

  private var names: [PathBytes] { arguments.flatMap(\.paths) }

  func validate() throws {
    switch action {
    case .list: break
    case .create:
      guard names.count == 1 else { throw ValidationError("create takes one title.") }
      if fields.owner == nil { throw ValidationError("create needs --owner.") }
    case .show, .edit, .delete, .path:
      guard names.count == 1 else { throw ValidationError("\(action) takes the id of one trip.") }
    case .add:
      guard names.count > 1 || !moment.isEmpty || note != nil else {
        throw ValidationError("add takes the id of a trip, then files, --moment or --note.")
      }
    case .remove:
      guard names.count > 1 else { throw ValidationError("remove takes the id of a trip, then moments.") }
    case .order:
      guard byTime != (names.count > 1) else { throw ValidationError("order takes moments, or --by-time.") }
    }
    if second.copy != nil, action != .delete { throw ValidationError("--copy can only be used with delete.") }
    if ![.list, .create].contains(action) { _ = try trip() }
    if action == .edit, fields.changes.isEmpty {
      throw ValidationError("Nothing to change: name --title, --description, --start, --end or --visibility.")
    }
  }

  func run() throws {
    let isReading = [.list, .show, .path].contains(action)
    let library = try libraryOptions.open(for: isReading ? .reading : .writing, options: second.options)
    try LibraryOptions.run {
      let output = TripOutput(library: library, listing: listing)
      switch action {
      case .list: try output.list(words: names.map(\.text), owner: fields.owner, byTitle: byTitle)
      case .show: try output.show(try known(library))
      case .path: try output.path(try known(library), drawing)
      case .create: try output.write(try library.moments.add(fields.new(title: names[0].text, now: now)))
      case .edit:
        let trip = try known(library)
        try output.write(try library.moments.change(trip.id, of: trip.owner, version: fields.ifVersion, fields.changes))
      case .add: try add(to: try known(library), library, output)
      case .remove:
        let trip = try known(library)
        try output.write(
          try library.moments.remove(try momentIDs(), from: trip.id, of: trip.owner, version: fields.ifVersion))
      case .order:
        let trip = try known(library)
        try output.write(
          byTime
            ? try library.moments.arrangeByTime(trip.id, of: trip.owner, version: fields.ifVersion)
            : try library.moments.arrange(try momentIDs(), in: trip.id, of: trip.owner, version: fields.ifVersion))
      case .delete:
        let trip = try known(library)
        if let version = fields.ifVersion, version != trip.version {
          throw Fault(
            .usage,
            "library: trip \(trip.id.rawValue) has changed: it has version \(trip.version), and --if-version names \(version)"
          )
        }
        let service = ServiceLibrary(library)
        if withMoments {
          try service.keepOriginals(of: try library.moments.erasableFiles(of: trip.id, of: trip.owner))
        }
        var report = try library.erase(.trip(trip.id, owner: trip.owner, withMoments: withMoments))
        // Without its moments a trip has no file that the service could have, too.
        if withMoments { service.add(to: &report) }
        let erasure = ErasureOutput(location: library.location)
        try erasure.write(report)
        try library.close()
        try erasure.finish(report)
      }
      if action != .delete { try library.close() }
    }
  }

  private var now: Int { Int(Date().timeIntervalSince1970) }

  private func trip() throws -> Trip.ID {
    guard let number = names.first.flatMap({ Number.whole($0.text, in: 1...Number.largest) }) else {
      throw ValidationError("\(action) takes the id of a trip, as `mediatool trip list` prints it.")
    }
    return Trip.ID(rawValue: Int64(number))
  }

  private func momentIDs() throws -> [Moment.ID] {
    try names.dropFirst().map { name in
      guard let number = Number.whole(name.text, in: 1...Number.largest) else {
        throw Fault(.usage, "\(DisplayText.visible(name)) is not the id of a moment; `mediatool trip show` prints them")
      }
      return Moment.ID(rawValue: Int64(number))
    }
  }

  private func known(_ library: Library) throws -> Trip {
    let id = try trip()
    let owners = try fields.owner.map { [$0] } ?? library.moments.owners()
    guard let trip = try library.moments.trip(id, of: owners) else {
      throw Fault(.usage, "the library has no trip \(id.rawValue); `mediatool trip list` lists them")
    }
    return trip
  }

  private func add(to trip: Trip, _ library: Library, _ output: TripOutput) throws {
    let files = names.dropFirst()
    let known = try files.compactMap { try LibraryPath.id(of: $0, in: library.catalogue) }
    var moments = moment.map { Moment.ID(rawValue: Int64($0)) }
    for file in known {
      let own = try library.moments.moments(of: file).first { $0.owner == trip.owner }
      moments.append(try own?.id ?? library.moments.post(file, library.catalogue, at: now, owner: trip.owner).id)
    }
    if let note {
      var new = Moment.New(owner: trip.owner, note: note, posted: now)
      if let location { new.location = .given(location.value) }
      new.trips = []
      moments += try library.moments.add([new])
    }
    try output.write(
      try library.moments.add(
        moments, to: trip.id, of: trip.owner, version: fields.ifVersion,
        before: before.map { Moment.ID(rawValue: Int64($0)) }))
    if known.count < files.count { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}
