internal import ArgumentParser
internal import FileSupport

/// The option `--library` of commands that need no library.
struct LibraryUse: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Reuse the facts and thumbnails of unchanged files from the library in this folder. (default: decode every file)",
      valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws { try Self.check(library) }

  /// The library; nil when none was named.
  func reader() throws(Fault) -> LibraryReader? { try library.map { path throws(Fault) in try LibraryReader(path) } }

  /// Fails for a name that is not a folder's.
  static func check(_ library: PathBytes?) throws {
    if let library, library.bytes.isEmpty || library.hasNUL {
      throw ValidationError("--library takes a folder name that is not empty and contains no NUL byte.")
    }
  }
}

/// The option `--library` of `tray`, which lists the library instead of files.
struct TrayLibrary: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      List the most recent files of the library in this folder; cannot be combined with files or folders. (default: read the named \
      files and folders)
      """,
      valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws { try LibraryUse.check(library) }

  /// The library; nil when none was named.
  func reader() throws(Fault) -> LibraryReader? { try library.map { path throws(Fault) in try LibraryReader(path) } }
}
