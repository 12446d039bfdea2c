internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// The options for the copy of a library, shared by all verbs that write to one.
struct CopyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep a second copy (a backup) of the library in this folder, or use the copy that is there.", valueName: "dir"),
    completion: .directory)
  var copy: PathBytes?

  @Flag(
    help:
      "Use the --copy folder as the copy of this library even if it is empty, has no library.json, or belongs to another library."
  )
  var adoptCopy = false

  func validate() throws {
    if adoptCopy, copy == nil { throw ValidationError("--adopt-copy needs --copy.") }
    if let copy, copy.bytes.isEmpty || copy.hasNUL {
      throw ValidationError("--copy takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// The options of the library.
  var options: Library.Options {
    var options = Library.Options()
    options.copy = copy
    options.adoptsCopy = adoptCopy
    return options
  }
}
