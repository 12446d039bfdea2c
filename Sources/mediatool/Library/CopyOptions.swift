internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// The use that a command makes of the copy of a library.
protocol CopyUse {
  /// What `--copy` does in this command.
  static var help: String { get }
}

/// `scan` writes to the copy what it stores.
enum CopyForScan: CopyUse {
  static let help = """
    Keep a copy (a backup) of the stored thumbnails and originals in this folder; later scans with the same folder keep it up to date. A \
    scan that changed something adds a snapshot of the catalogue.
    """
}

/// `verify` compares and repairs both.
enum CopyForVerify: CopyUse {
  static let help = "Compare the library with its copy in this folder; --repair and --rebuild use and update it."
}

/// `erase` erases from both.
enum CopyForErase: CopyUse {
  static let help = "Also erase from the copy of the library (its backup) in this folder."
}

/// `set --location-sharing` erases from both.
enum CopyForSet: CopyUse {
  static let help = "With --location-sharing, also erase from the copy of the library (its backup) in this folder."
}

/// `moments delete` and `trip delete` erase from both.
enum CopyForDelete: CopyUse {
  static let help = "With delete, also erase from the copy of the library (its backup) in this folder."
}

/// The options for the copy of a library, shared by all commands that write to one.
struct CopyOptions<Use: CopyUse>: ParsableArguments {
  @Option(help: ArgumentHelp(Use.help, valueName: "dir"), completion: .directory)
  var copy: PathBytes?

  @Flag(
    help:
      """
      Use the --copy folder as the copy of this library even if it is empty, has no library.json, or belongs to another library; that \
      library's files are moved into the subfolder library-ID, which then serves as its copy. With verify --rebuild, those files become \
      this library's instead of being moved.
      """
  )
  var adoptCopy = false

  func validate() throws {
    if adoptCopy, copy == nil { throw ValidationError("--adopt-copy needs --copy.") }
    if let copy, copy.bytes.isEmpty || copy.hasNUL {
      throw ValidationError("--copy takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// The copy for which the library is opened.
  var options: Library.Options {
    var options = Library.Options()
    options.copy = copy
    options.adoptsCopy = adoptCopy
    return options
  }
}
