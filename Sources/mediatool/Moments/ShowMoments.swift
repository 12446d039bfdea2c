internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// `mediatool moments`: lists, posts, changes and deletes the moments of a library, and lists their clusters on a map.
struct ShowMoments: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moments",
    abstract: "List, post, edit and delete moments, and list their map clusters.",
    discussion: """
      A moment is a photo, video, audio file or note that its owner has posted, with a title, a caption, a time, a location, a visibility \
      and a version. `mediatool trip` puts moments in an order.

      ACTIONS
        list [WORD ...]     lists moments, or only those with all words in
                            title or caption
        show MOMENT         prints a moment
        post [FILE ...]     posts files by path or id, each as a moment, or a
                            note with --note
        edit MOMENT         changes --title, --caption, --time, --location,
                            --visibility
        delete MOMENT ...   erases moments of one owner, and originals that
                            nothing else uses; files in scanned folders stay,
                            and so do originals in the library of `mediatool
                            serve`, whose DELETE /v1/moments erases them
        map                 lists map clusters, or with --open the moments of
                            one cluster

      --if-version refuses the change if the moment has a different version. Prints JSON when standard output is not a terminal, or with \
      --json.

      EXAMPLES
        mediatool moments list ferry --owner ada --since 7d
        mediatool moments post beach.jpg --owner ada --visibility friends
        mediatool moments post --note "The ferry was late" --owner ada
        mediatool moments edit 12 --caption "On time" --if-version 1
        mediatool moments map --owner ada --owner bob --audience friends
        mediatool moments delete 12

      EXIT STATUS
        0    the action succeeded
        1    some files are not in the library, and the others were posted; or the
             moments were deleted, but traces remain: `notWiped` says why,
             `notErased` lists the files that may have them
        64   the command line is invalid, or there is no library or no such
             moment
        70   the library cannot be read or written
      """)

  /// What to do.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case list, show, post, edit, delete, map
  }

  @Argument(help: ArgumentHelp("What to do.", valueName: "action")) var action: Action
  @Argument(help: ArgumentHelp("Words, files or ids of moments.", valueName: "argument"), completion: .file())
  var arguments: [PathArguments] = []

  @OptionGroup var filters: MomentFilters
  @OptionGroup var fields: MomentFields
  @OptionGroup var drawing: MomentMapOptions
  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions<CopyForDelete>
  @OptionGroup var listing: ListingOptions

  private var names: [PathBytes] { arguments.flatMap(\.paths) }

  func validate() throws {
    switch action {
    case .list:
      if filters.byChange, !names.isEmpty { throw ValidationError("--by-change cannot be combined with words.") }
    case .show, .edit:
      guard names.count == 1 else { throw ValidationError("\(action) takes the id of one moment.") }
    case .post: try validatePost()
    case .delete:
      if names.isEmpty { throw ValidationError("delete takes the ids of moments.") }
      if fields.ifVersion != nil, names.count > 1 { throw ValidationError("--if-version takes one moment.") }
    case .map:
      guard names.isEmpty else { throw ValidationError("map takes no words and no moments.") }
    }
    if action != .delete, second.copy != nil { throw ValidationError("--copy can only be used with delete.") }
    if [.show, .edit, .delete].contains(action) { _ = try ids() }
    if action == .edit, fields.changes.isEmpty {
      throw ValidationError("Nothing to change: name --title, --caption, --time, --location or --visibility.")
    }
  }

  private func validatePost() throws {
    guard names.isEmpty == (fields.note != nil) else { throw ValidationError("post takes files, or --note.") }
    guard let note = fields.note else { return }
    if note.isEmpty { throw ValidationError("--note is empty; give the text of the note.") }
    if fields.caption != nil { throw ValidationError("--note and --caption cannot be combined.") }
    if filters.owner.count != 1 { throw ValidationError("A note needs one --owner.") }
  }

  func run() throws {
    let isReading = [.list, .show, .map].contains(action)
    try LibraryOptions.run {
      let library = try libraryOptions.open(for: isReading ? .reading : .writing, options: second.options)
      let output = MomentOutput(library: library, listing: listing)
      var status = ExitStatus.done
      switch action {
      case .list:
        let words = names.map(\.text).joined(separator: " ")
        try output.list(try filters.scope(in: library), words: words, byChange: filters.byChange)
      case .map: try output.map(try filters.scope(in: library), drawing)
      case .show: try output.write(try known(library))
      case .post: status = try post(to: library, output)
      case .edit: try edit(library, output)
      case .delete: status = try delete(from: library)
      }
      try library.close()
      if status != .done { throw ExitCode(status.rawValue) }
    }
  }

  private var now: Int { Int(Date().timeIntervalSince1970) }

  private func ids() throws -> [Moment.ID] {
    try names.map { name in
      guard let number = Number.whole(name.text, in: 1...Number.largest) else {
        throw ValidationError(
          "\(DisplayText.visible(name)) is not the id of a moment; `mediatool moments list` prints them.")
      }
      return Moment.ID(rawValue: Int64(number))
    }
  }

  /// The moment that is named, if the readers see it.
  private func known(_ library: Library) throws -> Moment {
    guard let id = try ids().first else {
      throw Fault(.usage, "give the id of a moment; `mediatool moments list` prints them")
    }
    if let owner = try owner(of: id, in: library),
      let moment = try library.moments.moment(
        id, in: Moment.Scope(owners: [owner], audience: filters.audience?.value ?? .owner))
    {
      return moment
    }
    throw Self.unknown(id)
  }

  /// The owner of a moment; nil if another owner is named.
  private func owner(of id: Moment.ID, in library: Library) throws -> String? {
    try library.moments.owner(of: id).flatMap { filters.owner.isEmpty || filters.owner.contains($0) ? $0 : nil }
  }

  private static func unknown(_ id: Moment.ID) -> Fault {
    Fault(.usage, "the library has no moment \(id.rawValue); `mediatool moments list` lists them")
  }

  private func post(to library: Library, _ output: MomentOutput) throws -> ExitStatus {
    let files = try names.compactMap { try LibraryPath.id(of: $0, in: library.catalogue) }
    var new = try files.map { file in
      guard let owner = try filters.owner.first ?? library.catalogue.file(file)?.owner else {
        throw Fault(.usage, "file \(file.rawValue) has no owner; name one with --owner")
      }
      return fields.applied(to: Moment.New(owner: owner, file: file, posted: now))
    }
    if let note = fields.note, let owner = filters.owner.first {
      new.append(fields.applied(to: Moment.New(owner: owner, note: note, posted: now)))
    }
    for (id, moment) in zip(try library.moments.add(new), new) {
      // A moment of a quarantined file is in no listing.
      if let added = try library.moments.moment(id, in: .owner(moment.owner)) { try output.write(added) }
    }
    return files.count < names.count ? .someFailed : .done
  }

  private func edit(_ library: Library, _ output: MomentOutput) throws {
    let moment = try known(library)
    if moment.kind == .note, fields.caption?.isEmpty == true {
      throw Fault(.usage, "a note needs text; delete the moment instead")
    }
    try output.write(
      try library.moments.change(moment.id, of: moment.owner, version: fields.ifVersion, at: now, fields.changes))
  }

  private func delete(from library: Library) throws -> ExitStatus {
    let ids = try ids()
    var owners: Set<String> = []
    var files: [FileID] = []
    for id in ids {
      guard let owner = try owner(of: id, in: library) else { throw Self.unknown(id) }
      owners.insert(owner)
      let moment = try library.moments.erasable(id, of: owner)
      if let file = moment?.file { files.append(file) }
      guard let version = fields.ifVersion, let current = moment?.version else { continue }
      if version != current {
        throw Fault(
          .usage,
          "library: moment \(id.rawValue) has changed: it has version \(current), and --if-version names \(version)")
      }
    }
    guard let owner = owners.first, owners.count == 1 else {
      throw Fault(.usage, "the moments have several owners; delete those of one owner at a time")
    }
    let service = ServiceLibrary(library)
    try service.keepOriginals(of: files)
    var report = try library.erase(.moments(ids, owner: owner))
    service.add(to: &report)
    let erasure = ErasureOutput(location: library.location)
    try erasure.write(report)
    return erasure.status(of: report)
  }
}
