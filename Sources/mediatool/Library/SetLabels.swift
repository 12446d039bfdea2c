internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// `mediatool set`: changes what people and apps say about files of a library.
struct SetLabels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract:
      "Set the owner, collection, title, caption, location or visibility of files in a library, or quarantine them.",
    discussion: """
      FILE is the path of a file, or its id as `find --json` prints it; an argument of digits only is an id; write ./12 for a file named 12. Files that are not \
      in the library are reported and skipped; the other changes are applied together, or not at all. Title, caption and location also change the moments of the file. An empty title, caption, owner or collection removes it. The \
      files themselves are not changed. A file with moments is given to another owner only with --delete-moments, because moments belong to their \
      owner.

      --visibility and --trip post a file that has an owner: it becomes a moment, unless it already is one. A moment can be in several trips. \
      --quarantine hides files and their moments from all listings until --release; both are in the audit trail. To hide every file with \
      the same content, use `mediatool moderate block`. \
      Prints a JSON object per file.

      --location-sharing is a setting of an owner and takes no files. With `none`, locations are not stored; with `private`, only the owner sees \
      them; with `friends`, the owner's friends see them too. It applies to what the owner adds from now on, and with --existing also to existing files \
      and moments: `none` then erases their locations, also from the snapshots of --copy. Originals are not changed.

      EXAMPLES
        mediatool set beach.jpg --owner ada --title "At the beach"
        mediatool set *.jpg --owner ada --collection summer
        mediatool set *.jpg --location 46.55,7.89
        mediatool set 4711 --location none
        mediatool set *.jpg --owner ada --visibility friends --trip 3
        mediatool set 4711 --quarantine "reported by three users"
        mediatool set --owner ada --location-sharing none --existing

      EXIT STATUS
        0    the changes were made
        1    some files are not in the library, and the others were changed; or
             `notErased` lists files that may still contain erased locations
        64   the command line is invalid, or there is no library
        70   the library cannot be written
      """)

  @Argument(
    help: ArgumentHelp("Paths of files, or ids of files in the library.", valueName: "file"), completion: .file())
  var files: [PathArguments] = []

  @Option(help: ArgumentHelp("Set the owner; an empty name removes it.", valueName: "name")) var owner: String?
  @Option(
    help: ArgumentHelp(
      "Put the files into this collection of their owner, which is created if necessary; an empty name removes them from theirs.",
      valueName: "name"))
  var collection: String?

  @Option(help: ArgumentHelp("Set the title.", valueName: "text")) var title: String?
  @Option(help: ArgumentHelp("Set the caption.", valueName: "text")) var caption: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Set the location in degrees, or remove it with none.", valueName: "latitude,longitude|none"),
    transform: LocationArgument.parse)
  var location: LocationArgument?

  @Option(
    help: ArgumentHelp(
      """
      Who may see the moments of the files: private (their owner), friends (the owner, and users with the label friends:OWNER) or public \
      (everyone).
      """,
      valueName: "who"),
    completion: .list(Moment.Visibility.allCases.map(\.rawValue)), transform: VisibilityArgument.parse)
  var visibility: VisibilityArgument?

  @Option(
    help: ArgumentHelp(
      "Add the moments of the files to the trip with this id, at its end. Repeatable.", valueName: "trip"),
    transform: Number.parser(1...Number.largest))
  var trip: [Int] = []

  @Option(help: ArgumentHelp("Hide the files from all listings, for this reason.", valueName: "reason"))
  var quarantine: String?

  @Flag(help: "Show quarantined files again, and discard the reports about them.") var release = false

  @Flag(help: "With --owner, delete the moments that the former owner made of the files, instead of failing.")
  var deleteMoments = false

  @Option(
    help: ArgumentHelp(
      "Set who sees the locations of what the owner adds: none (nobody; no location is stored), private (the owner) or friends (the owner and friends). Needs --owner.",
      valueName: "who"),
    completion: .list(LocationSharingArgument.names), transform: LocationSharingArgument.parse)
  var locationSharing: LocationSharingArgument?

  @Flag(help: "With --location-sharing, also apply it to what the owner already has.") var existing = false

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions<CopyForSet>
  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfLibrary>

  func validate() throws {
    let changes = [
      owner != nil, collection != nil, title != nil, caption != nil, location != nil, visibility != nil,
      !trip.isEmpty, quarantine != nil, release,
    ]
    if locationSharing != nil {
      guard owner?.isEmpty == false, files.isEmpty, !deleteMoments, changes.count(where: { $0 }) == 1 else {
        throw ValidationError("--location-sharing needs --owner, and takes no files and no other changes.")
      }
      return
    }
    if existing || second.copy != nil { throw ValidationError("--existing and --copy need --location-sharing.") }
    if files.isEmpty { throw ValidationError("Name at least one file.") }
    guard changes.contains(true) else {
      throw ValidationError(
        "Nothing to set: name at least one of --owner, --collection, --title, --caption, --location, --visibility, --trip, --quarantine and --release."
      )
    }
    if quarantine != nil, release { throw ValidationError("--quarantine and --release cannot be combined.") }
    if deleteMoments, owner == nil { throw ValidationError("--delete-moments needs --owner.") }
    if owner?.isEmpty == true, visibility != nil || !trip.isEmpty || collection?.isEmpty == false {
      throw ValidationError("--collection, --visibility and --trip need files with an owner.")
    }
  }

  func run() throws {
    let library = try libraryOptions.open(for: .writing, options: second.options)
    try LibraryOptions.run {
      if let locationSharing, let owner { return try set(locationSharing.value, of: owner, in: library) }
      let now = Int(Date().timeIntervalSince1970)
      let named = files.flatMap(\.paths)
      let ids = try named.compactMap { try LibraryPath.id(of: $0, in: library.catalogue) }
      try library.moments.edit(ids, edit, at: now)
      let writer = ResultWriter()
      for id in ids {
        guard let file = try library.catalogue.file(id) else { continue }
        try writer.write(line: JSONLine.text(LabelledRecord(file, try library.moments.moments(of: id))))
      }
      try library.close()
      if ids.count < named.count { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }
  }

  private func set(_ sharing: Moment.LocationSharing, of owner: String, in library: Library) throws {
    // A mistyped name would look like an owner whose locations are gone.
    if existing, try !library.moments.owners().contains(owner) {
      try library.close()
      Diagnostics.say("owner \(DisplayText.visible(owner)) has no data in the library; nothing was changed")
      throw ExitCode(ExitStatus.someFailed.rawValue)
    }
    let remaining = try library.moments.setLocationSharing(sharing, of: owner, applyingToExisting: existing)
    try library.close()
    let record = LocationSharingRecord(owner: owner, locationSharing: sharing, existing: existing, notErased: remaining)
    try ResultWriter().write(line: JSONLine.text(record))
    if remaining.isEmpty { return }
    Diagnostics.say(
      "locations of \(DisplayText.visible(owner)) may remain in the files that the result lists; name the copy of the library with --copy, and remove the other files"
    )
    throw ExitCode(ExitStatus.someFailed.rawValue)
  }

  /// What is changed of each file and its moments.
  private var edit: FileEdit {
    var edit = FileEdit()
    if let owner { edit.labels.append(.owner(owner.isEmpty ? nil : owner, collection: .unchanged)) }
    if let collection { edit.collection = collection.isEmpty ? MediaCollection.Choice.none : .named(collection) }
    if let title {
      let title = title.isEmpty ? nil : title
      edit.labels.append(.title(title))
      edit.moments.append(.title(title))
    }
    if let caption {
      let caption = caption.isEmpty ? nil : caption
      edit.labels.append(.caption(caption))
      edit.moments.append(.caption(caption))
    }
    if let location {
      edit.labels.append(.location(location.value))
      edit.moments.append(.location(location.value))
    }
    edit.visibility = visibility?.value
    edit.trips = trip.map { Trip.ID(rawValue: Int64($0)) }
    (edit.quarantine, edit.releases, edit.deletesMoments) = (quarantine, release, deleteMoments)
    edit.actor = Moderate.user
    return edit
  }
}

extension Moments {
  /// Makes a moment of a file, which must have an owner. It joins no trip.
  func post(
    _ id: FileID, _ catalogue: any MediaCatalogue, at now: Int, owner: String? = nil
  ) throws -> Moment {
    guard let owner = try catalogue.file(id)?.owner ?? owner else {
      throw Fault(.usage, "file \(id.rawValue) has no owner; name one with --owner")
    }
    var new = Moment.New(owner: owner, file: id, posted: now)
    new.trips = []
    guard let added = try add([new]).first, let moment = try moment(added, in: .owner(owner)) else {
      throw Fault(.software, "library: a moment that was added is missing; check the library with `mediatool verify`")
    }
    return moment
  }
}

extension LibraryPath {
  /// The id of a file that is named by its path or its id. One that the library does not have is reported.
  static func id(of name: PathBytes, in catalogue: any MediaCatalogue) throws -> FileID? {
    let number = Number.whole(name.text, in: 1...Int.max)
    let file =
      if let number {
        try catalogue.file(FileID(rawValue: Int64(number)))
      } else {
        try catalogue.file(at: absolute(name))
      }
    if file == nil {
      let wayOut =
        number == nil
        ? "`mediatool scan` adds the files of a folder" : "`mediatool find --json` prints the ids of files"
      Diagnostics.note("\(DisplayText.visible(name)) is not in the library; \(wayOut)")
    }
    return file?.id
  }
}

/// `--location`: a location, or none.
struct LocationArgument: CheckedArgument {
  let value: Location?

  init?(argument: String) {
    if argument == "none" {
      value = nil
      return
    }
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      let location = Location(latitude: latitude, longitude: longitude, source: .user)
    else { return nil }
    value = location
  }

  static var allowed: String { "latitude,longitude in degrees, such as 46.55,7.89, or none" }
}

/// `--visibility`: who may see a moment or a trip.
struct VisibilityArgument: CheckedArgument {
  let value: Moment.Visibility

  init?(argument: String) {
    guard let value = Moment.Visibility(rawValue: argument) else { return nil }
    self.value = value
  }

  static var names: [String] { Moment.Visibility.allCases.map(\.rawValue) }
  static var allowed: String { "one of \(names.joined(separator: ", "))" }
}
