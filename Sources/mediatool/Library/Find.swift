internal import ArgumentParser
internal import FileSupport
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel

/// `mediatool find`: searches a library by words, kind, time and folder.
struct Find: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find files in a library by words, kind, date or folder.",
    discussion: """
      Finds files whose name, title and caption together contain every word, as a whole word or as the start of one; case and accents \
      are ignored. Without words, lists files of one kind, folder or time range, newest first. Reads only the library, not the files.

      EXAMPLES
        mediatool find summer lake
        mediatool find --kind video --since 2024-06-01 --until 2024-07-01
        mediatool find --in ~/Photos/2019 --limit 1000 --json
        mediatool find --copies

      EXIT STATUS
        0    the files were listed, if any
        64   the command line is invalid, or there is no library
        70   the library cannot be read, or results cannot be written
      """)

  @Argument(help: ArgumentHelp("Words to search for.", valueName: "word")) var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "Include only files of this kind: image, video, audio, document, contact, text, archive or other.",
      valueName: "kind"))
  var kind: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Include only files in this folder, not those in its subfolders.", valueName: "dir"),
    completion: .directory)
  var folder: PathBytes?

  @Flag(
    help:
      "List duplicates: files with the same content at more than one path, largest first; needs a scan with --digest.")
  var copies = false

  @OptionGroup var days: DayOptions
  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var listing: ListingOptions

  func validate() throws {
    if let kind, MediaKind(rawValue: kind) == nil {
      throw ValidationError(
        "unknown kind '\(kind)'; expected \(MediaKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    if kind != nil, folder != nil { throw ValidationError("--kind and --in cannot be combined.") }
    let hasScope = kind != nil || folder != nil || days.times != nil
    if !words.isEmpty, hasScope || copies {
      throw ValidationError("Words cannot be combined with --kind, --in, --since, --until or --copies.")
    }
    if copies, hasScope { throw ValidationError("--copies cannot be combined with --kind, --in, --since or --until.") }
  }

  func run() throws {
    let catalogue = try libraryOptions.open(for: .reading).catalogue
    try LibraryOptions.run {
      if copies { return try showCopies(catalogue) }
      let text = words.joined(separator: " ")
      guard text.isEmpty else {
        return try listing.show { try catalogue.search(text, in: .all, after: $0, limit: $1) }
      }
      let scope = try scope
      try listing.show { try catalogue.newest(scope.during(days.times), after: $0, limit: $1) }
    }
  }

  private var scope: CatalogueScope {
    get throws(Fault) {
      if let kind = kind.flatMap(MediaKind.init(rawValue:)) { return .kind(kind) }
      guard let folder else { return .all }
      guard let root = ScanRoots([folder], isAbsolute: true).roots.first else {
        throw Fault(.usage, "folder \(DisplayText.visible(folder)) does not exist")
      }
      return .folder(root)
    }
  }

  private func showCopies(_ catalogue: any MediaCatalogue) throws {
    var groups: CatalogueCursor?
    var shown = 0
    repeat {
      let page = try catalogue.duplicates(in: .all, after: groups, limit: 100)
      for group in page.groups where shown < listing.maximum {
        try listing.show { try catalogue.files(sharingContentWith: group.example, after: $0, limit: $1) }
        shown += 1
      }
      groups = page.next
    } while groups != nil && shown < listing.maximum
  }
}
