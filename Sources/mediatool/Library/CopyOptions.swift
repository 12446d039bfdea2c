internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// Where a library is kept a second time: the same for every verb that writes in one.
struct CopyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use this folder as the second copy of the library's files.", valueName: "dir"),
    completion: .directory)
  var copy: PathBytes?

  func validate() throws {
    if let copy, copy.bytes.isEmpty || copy.hasNUL {
      throw ValidationError("--copy takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// What the library does with it.
  var options: Library.Options {
    var options = Library.Options()
    options.copy = copy
    return options
  }
}
