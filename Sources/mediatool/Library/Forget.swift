internal import ArgumentParser
internal import MediaLibrary

/// `mediatool forget`: what a library is to know no more.
struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Erase files, a collection or an owner from a library: rows, pictures, places, drafts. All or nothing.",
    discussion: """
      Originals go where the library owns them; those in folders that were scanned are yours, and stay. What is erased cannot be read \
      from the library's files any more. A second time there is nothing to do, and that is as good.

      EXAMPLES
        mediatool forget --file ~/Photos/secret.jpg
        mediatool forget --owner ada
        mediatool forget --owner ada --collection "Summer 2024"
        mediatool forget --vanished

      EXIT STATUS
        0    it is erased; a line of JSON says what was
        64   the command line is wrong, or there is no library
        70   the library cannot be written; nothing, or all of it, is erased
      """)

  @Option(parsing: .upToNextOption, help: ArgumentHelp("These files.", valueName: "file"), completion: .file())
  var file: [PathArguments] = []

  @Option(help: ArgumentHelp("This owner, with all files and collections.", valueName: "name")) var owner: String?

  @Option(help: ArgumentHelp("Only this collection of the owner.", valueName: "name")) var collection: String?

  @Flag(help: "All files that are not where they were.")
  var vanished = false

  @OptionGroup var place: LibraryOptions

  func validate() throws {
    let named = [!file.isEmpty, owner != nil, vanished].count { $0 }
    guard named == 1 else { throw ValidationError("Name one of --file, --owner and --vanished.") }
    if collection != nil, owner == nil { throw ValidationError("--collection needs its --owner.") }
  }

  /// What was erased, of all that was named.
  private struct Record: Encodable {
    var files = 0
    var collections = 0
    var originals = 0
    var originalBytes = 0
    var renditions = 0
    var attachments = 0
    /// True where there is nothing to erase.
    var isWiped = true
  }

  func run() throws {
    let location = try place.location()
    try LibraryOptions.run {
      // A library is not made by forgetting.
      try Library.open(at: location, for: .reading).close()
      let library = try Library.open(at: location, for: .writing)
      var total = Record()
      for scope in try scopes(library.catalogue) {
        let report = try library.forget(scope)
        total.files += report.files
        total.collections += report.collections
        total.originals += report.originals
        total.originalBytes += report.originalBytes
        total.renditions += report.renditions
        total.attachments += report.attachments
        total.isWiped = total.isWiped && report.isWiped
      }
      try ResultWriter().write(line: JSONLine.text(total))
      if !total.isWiped { Diagnostics.say("somebody reads the library: run it again to erase the last traces") }
    }
  }

  private func scopes(_ catalogue: any MediaCatalogue) throws -> [ForgetScope] {
    if vanished { return [.vanished] }
    if let owner { return [collection.map { .collection($0, owner: owner) } ?? .owner(owner)] }
    var scopes: [ForgetScope] = []
    for path in file.flatMap(\.paths) {
      if let known = try catalogue.file(at: LibraryPath.absolute(path)) {
        scopes.append(.file(known.id))
      } else {
        Diagnostics.say("\(DisplayText.visible(path)) is not in the library")
      }
    }
    return scopes
  }
}
