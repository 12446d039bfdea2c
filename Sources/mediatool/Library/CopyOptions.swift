internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// Where a library is kept a second time: the same for every verb that writes in one.
struct CopyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use this folder as the second copy of the library's files.", valueName: "dir"),
    completion: .directory)
  var copy: PathBytes?

  @Flag(
    help: "Make --copy the copy of this library, even if it is empty, has no marker, or belongs to another library.")
  var adoptCopy = false

  func validate() throws {
    if adoptCopy, copy == nil { throw ValidationError("--adopt-copy needs --copy.") }
    if let copy, copy.bytes.isEmpty || copy.hasNUL {
      throw ValidationError("--copy takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// What the library does with it.
  var options: Library.Options {
    var options = Library.Options()
    options.copy = copy
    options.adoptsCopy = adoptCopy
    return options
  }
}
