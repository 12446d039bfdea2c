internal import ArgumentParser
internal import FileSupport

/// The option `--library` of verbs that need no library.
struct LibraryUse: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take metadata and thumbnails of unchanged files from the library in this folder. (default: decode every file)",
      valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws {
    if let library, library.bytes.isEmpty || library.hasNUL {
      throw ValidationError("--library takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// The library; nil when none was named.
  func reader() throws(Fault) -> LibraryReader? { try library.map { path throws(Fault) in try LibraryReader(path) } }
}
