internal import ArgumentParser
internal import FileSupport

/// `--library` of the verbs that can do without one.
struct LibraryUse: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take what this library knows of unchanged files, and decode only the others.", valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws {
    if let library, library.bytes.isEmpty || library.hasNUL {
      throw ValidationError("--library needs the name of a folder.")
    }
  }

  /// The library; nil when none was named.
  func reader() throws(Fault) -> LibraryReader? { try library.map { path throws(Fault) in try LibraryReader(path) } }
}
