internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// Where a library is kept a second time: the same for every verb that writes in one.
struct CopyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A folder with a second copy of what the library keeps.", valueName: "dir"),
    completion: .directory)
  var copy: PathBytes?

  func validate() throws {
    if let copy, copy.bytes.isEmpty || copy.hasNUL { throw ValidationError("--copy needs the name of a folder.") }
  }

  /// What the library does with it.
  var options: Library.Options {
    var options = Library.Options()
    options.copy = copy
    return options
  }
}
