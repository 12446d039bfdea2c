internal import ArgumentParser
internal import FileSupport
internal import MediaEngineProtocol

/// The options for input files, shared by all commands that take files.
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

  /// What workers load at first: see ``WorkerLibraries/guessed(by:unlessOthersAreNeeded:)``.
  func libraries(unlessOthersAreNeeded usual: WorkerLibraries) -> WorkerLibraries {
    .guessed(by: files.first, unlessOthersAreNeeded: usual)
  }

  /// For commands that need at least one file.
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
