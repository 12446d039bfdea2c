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
      are ignored. --kind, --in, --since and --until restrict the result; without words, all files that match them are listed. The newest \
      files come first. Reads only the library, not the files.

      --paths prints only the path of each file, for use by other commands; with -0, each path ends with a NUL byte instead of a newline. \
      --copies cannot be combined with words or with options that restrict the result.

      EXAMPLES
        mediatool find summer lake
        mediatool find --kind video --since 2024-06-01 --until 2024-07-01
        mediatool find lake --kind photo --since 7d
        mediatool find --in ~/Photos/2019 --limit 1000 --json
        mediatool find --kind photo --paths -0 | xargs -0 tar cf photos.tar
        mediatool find --copies

      EXIT STATUS
        0    the files were listed, if any
        1    some rows of the library are damaged and were skipped
        64   the command line is invalid, or there is no library
        70   the library cannot be read, or results cannot be written
      """)

  @Argument(help: ArgumentHelp("Words to search for.", valueName: "word")) var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "Include only files of this kind: image (or photo), video, audio, document, contact, text, archive or other. Repeatable.",
      valueName: "kind"),
    completion: .list(KindArgument.names), transform: KindArgument.parse)
  var kind: [KindArgument] = []

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Include only files directly in this folder; files in its subfolders are not listed.", valueName: "dir"),
    completion: .directory)
  var folder: PathBytes?

  @Flag(
    help:
      "List duplicates: files with the same content at more than one path, largest first. The files must have been scanned with --digest."
  )
  var copies = false

  @Flag(help: "Print only the paths, one per line; all of them, unless --limit is given.")
  var paths = false

  @Flag(name: [.customShort("0"), .long], help: "With --paths, print a NUL byte after each path instead of a newline.")
  var null = false

  @OptionGroup var days: DayOptions
  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var listing: ListingOptions

  func validate() throws {
    if null, !paths { throw ValidationError("--null needs --paths.") }
    if paths, listing.json || listing.table {
      throw ValidationError("--paths cannot be combined with --json or --table.")
    }
    let hasScope = !kind.isEmpty || folder != nil || days.times != nil
    if copies, hasScope || !words.isEmpty {
      throw ValidationError("--copies cannot be combined with words, --kind, --in, --since or --until.")
    }
  }

  func run() throws {
    let catalogue = try libraryOptions.open(for: .reading).catalogue
    try LibraryOptions.run {
      if copies { return try showCopies(catalogue) }
      let (text, scope) = (words.joined(separator: " "), try scope)
      try show { after, limit in
        text.isEmpty
          ? try catalogue.newest(scope, after: after, limit: limit)
          : try catalogue.search(text, in: scope, after: after, limit: limit)
      }.end()
    }
  }

  private func show(_ page: (CatalogueFile.Cursor?, Int) throws -> CatalogueFile.Page) throws -> DamagedRows {
    paths ? try listing.showPaths(nulSeparated: null, page) : try listing.show(page)
  }

  private var scope: CatalogueScope {
    get throws(Fault) {
      var scope = CatalogueScope(kinds: kind.isEmpty ? nil : Set(kind.map(\.kind)), times: days.times)
      if let folder {
        guard let root = ScanRoots([folder], isAbsolute: true).roots.first else {
          throw Fault(.usage, "folder \(DisplayText.visible(folder)) does not exist")
        }
        scope.folder = root
      }
      return scope
    }
  }

  private func showCopies(_ catalogue: any MediaCatalogue) throws {
    var groups: CatalogueFile.Cursor?
    var shown = 0
    var damaged = DamagedRows()
    repeat {
      let page = try catalogue.duplicates(in: .all, after: groups, limit: 100)
      for group in page.groups where shown < listing.maximum {
        damaged += try show { try catalogue.files(sharingContentWith: group.example, after: $0, limit: $1) }
        shown += 1
      }
      groups = page.next
    } while groups != nil && shown < listing.maximum
    if shown == 0, !paths { Diagnostics.note("no duplicates among the files scanned with --digest") }
    try damaged.end()
  }
}

/// `--kind`: a kind of the facts, or the word that people use for it.
struct KindArgument: CheckedArgument {
  let kind: MediaKind

  init?(argument: String) {
    guard let kind = Self.words[argument] ?? MediaKind(rawValue: argument) else { return nil }
    self.kind = kind
  }

  private static let words: [String: MediaKind] = [
    "photo": .image, "photos": .image, "images": .image, "picture": .image, "videos": .video, "documents": .document,
    "contacts": .contact,
  ]

  static var names: [String] { MediaKind.allCases.map(\.rawValue) + ["photo"] }
  static var allowed: String { "one of \(names.joined(separator: ", "))" }
}
