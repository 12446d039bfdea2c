internal import ArgumentParser
internal import MediaLibrary

/// `mediatool erase`: erases files from a library.
struct Erase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase files, a collection or an owner from a library, all or nothing.",
    discussion: """
      Removes rows, renditions, locations and drafts from the library, and from its copy if --copy is given; the erased data cannot be \
      recovered from these files. Originals are removed if the library owns them; files in scanned folders are never touched. \
      Erasing what is already erased succeeds. Old catalogues and unreadable snapshots that may still have the data are listed, for \
      you to remove.

      EXAMPLES
        mediatool erase --file ~/Photos/secret.jpg
        mediatool erase --owner ada
        mediatool erase --owner ada --collection "Summer 2024"
        mediatool erase --vanished --copy /mnt/second

      EXIT STATUS
        0    everything named was erased; a JSON object has the counts
        64   the command line is invalid, or there is no library
        70   the library cannot be written; all was erased, or nothing
      """,
    aliases: ["forget"])

  @Option(parsing: .upToNextOption, help: ArgumentHelp("Erase these files.", valueName: "file"), completion: .file())
  var file: [PathArguments] = []

  @Option(help: ArgumentHelp("Erase this owner with all files and collections.", valueName: "name")) var owner: String?

  @Option(help: ArgumentHelp("Erase only this collection of the owner.", valueName: "name")) var collection: String?

  @Flag(help: "Erase all files that no longer exist at their path.")
  var vanished = false

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions

  func validate() throws {
    let named = [!file.isEmpty, owner != nil, vanished].count { $0 }
    guard named == 1 else { throw ValidationError("Name exactly one of --file, --owner and --vanished.") }
    if collection != nil, owner == nil { throw ValidationError("--collection needs --owner.") }
  }

  func run() throws {
    let location = try libraryOptions.location()
    try LibraryOptions.run {
      let library = try Library.open(at: location, for: .writing, options: second.options)
      let report = try library.erase(scope(library.catalogue))
      try ResultWriter().write(line: JSONLine.text(report))
      for path in report.notErased {
        Diagnostics.say("\(DisplayText.visible(path)) may still contain erased data; remove this file")
      }
      if !report.isWiped, report.notErased.isEmpty {
        Diagnostics.say("another process is reading the library; run the command again to erase the remaining traces")
      }
    }
  }

  private func scope(_ catalogue: any MediaCatalogue) throws -> ErasureScope {
    if vanished { return .vanished }
    if let owner { return collection.map { .collection($0, owner: owner) } ?? .owner(owner) }
    return .files(
      try file.flatMap(\.paths).compactMap { path in
        if let known = try catalogue.file(at: LibraryPath.absolute(path)) { return known.id }
        Diagnostics.say("\(DisplayText.visible(path)) is not in the library")
        return nil
      })
  }
}
