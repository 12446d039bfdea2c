internal import ArgumentParser
internal import FileSupport
internal import MediaEngineProtocol
internal import MediaModel

/// The options for input files, shared by all verbs that take files.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      Files to read, or folders to search recursively; - reads one file from standard input. In a folder, .mediaignore files apply, and a symbolic \
      link is followed if it points to a file inside the folder.
      """,
      valueName: "file"),
    completion: .file())
  var arguments: [PathArguments] = []

  /// The files and folders on the command line.
  var files: [PathBytes] { arguments.flatMap(\.paths) }

  @Option(
    help: ArgumentHelp(
      "Also read the files named in this list, one per line; - reads the list from standard input.", valueName: "list"),
    completion: .file())
  var filesFrom: PathBytes?

  @Flag(
    name: [.customShort("0"), .long],
    help:
      "Expect NUL bytes instead of newlines between the names in the list, as `find -print0` writes them; needs --files-from."
  )
  var null = false

  @Flag(help: "Include hidden files and folders inside the named folders.")
  var hidden = false

  /// Whether several files are expected, so that all workers should start at once.
  var mayBeMany: Bool { filesFrom != nil || files.count > 1 || files.contains { FileIdentity(ofFolder: $0) != nil } }

  /// What workers load at first. Guessed by the name of the first file: a wrong guess costs the start of another worker.
  /// - Parameter usual: What is enough for files of unknown names.
  func libraries(unlessOthersAreNeeded usual: WorkerLibraries) -> WorkerLibraries {
    guard let first = files.first?.lastComponent, let dot = first.lastIndex(of: UInt8(ascii: ".")) else { return usual }
    let name = String(decoding: first[(dot + 1)...], as: UTF8.self)
    guard let type = MediaType.types(forExtension: name).first else { return usual }
    return switch (usual, type.kind) {
    case (.all, _), (_, .video), (_, .audio): .all
    case (.facts, _): .facts
    case (.images, _): WorkerLibraries.ofImages.contains(type) ? .images : .all
    }
  }

  /// For verbs that need at least one file.
  func requireSome() throws {
    guard files.isEmpty, filesFrom == nil else { return }
    throw ValidationError("Missing input: name files or folders, - for standard input, or a list with --files-from.")
  }

  func validate() throws {
    if null, filesFrom == nil {
      throw ValidationError("--null needs --files-from.")
    }
    let readers = files.count(where: \.isStandardInput) + (filesFrom?.isStandardInput == true ? 1 : 0)
    if readers > 1 { throw ValidationError("Standard input (-) can be read only once, but is named more than once.") }
  }
}
