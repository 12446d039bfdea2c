internal import ArgumentParser
internal import MediaLibrary

/// `mediatool erase`: what a library is to know no more.
struct Erase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase files, a collection or an owner from a library: rows, images, places, drafts. All or nothing.",
    discussion: """
      Originals go where the library owns them; those in folders that were scanned are yours, and stay. What is erased cannot be read \
      from the library's files any more, nor from those of its copy, if --copy names it. A second time there is nothing to do, and that \
      is as good.

      EXAMPLES
        mediatool erase --file ~/Photos/secret.jpg
        mediatool erase --owner ada
        mediatool erase --owner ada --collection "Summer 2024"
        mediatool erase --vanished --copy /mnt/second

      EXIT STATUS
        0    it is erased; a line of JSON says what was
        64   the command line is wrong, or there is no library
        70   the library cannot be written; nothing, or all of it, is erased
      """,
    aliases: ["forget"])

  @Option(parsing: .upToNextOption, help: ArgumentHelp("These files.", valueName: "file"), completion: .file())
  var file: [PathArguments] = []

  @Option(help: ArgumentHelp("This owner, with all files and collections.", valueName: "name")) var owner: String?

  @Option(help: ArgumentHelp("Only this collection of the owner.", valueName: "name")) var collection: String?

  @Flag(help: "All files that are not where they were.")
  var vanished = false

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var second: CopyOptions

  func validate() throws {
    let named = [!file.isEmpty, owner != nil, vanished].count { $0 }
    guard named == 1 else { throw ValidationError("Name one of --file, --owner and --vanished.") }
    if collection != nil, owner == nil { throw ValidationError("--collection needs its --owner.") }
  }

  func run() throws {
    let location = try libraryOptions.location()
    try LibraryOptions.run {
      // A library is not made by forgetting.
      do { try Library.open(at: location, for: .reading).close() } catch let error as LibraryError
        where error.code == .olderSchema
      {
        // Opening it for writing brings it up to date.
      }
      let library = try Library.open(at: location, for: .writing, options: second.options)
      let report = try library.erase(scope(library.catalogue))
      try ResultWriter().write(line: JSONLine.text(report))
      if !report.isWiped { Diagnostics.say("somebody reads the library: run it again to erase the last traces") }
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
