internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// `mediatool erase`: erases files from a library.
struct Erase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase files, a collection or an owner from a library; files in scanned folders stay.",
    discussion: """
      Removes catalogue entries, thumbnails, locations and drafts from the library, and from its copy if --copy is given, so that the \
      erased data cannot be recovered from the files of the library. Originals that an app stored in the library are removed too; files \
      in scanned folders are never touched, and the next scan adds them again unless they are deleted or excluded first. An erasure is atomic: if it is interrupted, the next command that writes to the library completes it. The command does not ask for \
      confirmation. A file that is not in the library is reported and is not an error. \
      --owner also erases what `mediatool serve` has stored about the owner: drafts, messages, profile image, names, labels, unfinished uploads and stored responses; stop the \
      service first, or use its DELETE /v1/owner. Erase single files and collections of a service with its DELETE routes: this command leaves the \
      service's own databases as they are, and lists them in `notErased`. Old catalogues, and snapshots and drafts that \
      cannot be read, may still contain the data and are listed; remove them yourself, or move a damaged draft aside with `mediatool verify \
      --repair` and erase again. If another process reads the library, or the disk is full, remnants of erased data stay in the library's files until a later \
      command can remove them.

      Exactly one of --file, --owner and --vanished is required. Owners are set by `mediatool set` and by apps, collections by apps.

      EXAMPLES
        mediatool erase --file ~/Photos/secret.jpg
        mediatool erase --owner ada
        mediatool erase --owner ada --collection "Summer 2024"
        mediatool erase --vanished --copy /mnt/second

      EXIT STATUS
        0    everything named was erased; a JSON object has the counts
        1    everything named was erased from the library, but traces remain:
             `notWiped` says why, `notErased` lists files to remove
        64   the command line is invalid, or there is no library
        70   the library cannot be written; run the command again
      """)

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Erase these files; takes all names up to the next option.", valueName: "file"),
    completion: .file())
  var file: [PathArguments] = []

  @Option(help: ArgumentHelp("Erase this owner with all files and collections.", valueName: "name")) var owner: String?

  @Option(help: ArgumentHelp("Erase only this collection of the owner.", valueName: "name")) var collection: String?

  @Flag(
    help:
      "Erase all files that the last scan no longer found. Mount all disks and scan first, or files of an unmounted disk are erased."
  )
  var vanished = false

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions<CopyForErase>

  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfLibrary>

  func validate() throws {
    let named = [!file.isEmpty, owner != nil, vanished].count { $0 }
    guard named == 1 else { throw ValidationError("Name exactly one of --file, --owner and --vanished.") }
    if collection != nil, owner == nil { throw ValidationError("--collection needs --owner.") }
  }

  func run() throws {
    let location = try libraryOptions.location()
    try LibraryOptions.run {
      let library = try Library.open(at: location, for: .writing, options: second.options)
      let service = ServiceLibrary(library)
      if let owner, collection == nil, !service.files.isEmpty, let program = ServerProgram.path {
        try library.close()
        try ServerProgram.run(program, arguments(of: owner, in: location))
      }
      let line = ErasureLine(isWanted: Terminal.isTerminal(2))
      defer { line.end() }
      let (scope, isOfOwner) = try scope(library.catalogue)
      var report = try library.erase(scope) { line.show($0) }
      line.end()
      if isOfOwner { service.add(to: &report) }
      let output = ErasureOutput(location: location)
      try output.write(report)
      if let owner, report.isEmpty { Diagnostics.note(nothing(of: owner)) }
      try output.finish(report)
    }
  }

  /// What the program of the service takes to erase an owner.
  private func arguments(of owner: String, in location: LibraryLocation) -> [PathBytes] {
    let always = [PathBytes("erase-owner"), PathBytes(owner), location.data, location.cache]
    guard let copy = second.copy else { return always }
    return always + [copy] + (second.adoptCopy ? [PathBytes("adopt")] : [])
  }

  /// A mistyped name must not look like an erasure.
  private func nothing(of owner: String) -> String {
    let name = DisplayText.visible(owner)
    guard let collection else { return "owner \(name) has no data in the library; nothing was erased" }
    return "the library has no collection \(DisplayText.visible(collection)) of the owner \(name); nothing was erased"
  }

  /// What to erase, and whether it is an owner's: a service knows no other files.
  private func scope(_ catalogue: any MediaCatalogue) throws -> (ErasureRequest.Scope, isOfOwner: Bool) {
    if vanished { return (.vanished, false) }
    if let owner { return (collection.map { .collection($0, owner: owner) } ?? .owner(owner), true) }
    let known = try file.flatMap(\.paths).compactMap { path -> CatalogueFile? in
      if let known = try catalogue.file(at: LibraryPath.absolute(path)) { return known }
      Diagnostics.note("\(DisplayText.visible(path)) is not in the library")
      return nil
    }
    return (.files(known.map(\.id)), known.contains { $0.owner != nil })
  }
}

extension ErasureRequest.Report {
  /// Whether nothing was found to erase.
  fileprivate var isEmpty: Bool {
    files == 0 && collections == 0 && moments == 0 && trips == 0 && reports == 0 && originals == 0 && renditions == 0
      && attachments == 0 && drafts == 0
  }
}
