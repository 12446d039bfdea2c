internal import ArgumentParser

/// What `-v` adds to the output of a command.
protocol VerbosityUse {
  /// What `--verbose` does in this command.
  static var verbose: ArgumentHelp { get }
}

/// Commands that decode files.
enum VerbosityOfDecoding: VerbosityUse {
  static let verbose: ArgumentHelp =
    "Add the decoder's own message to each failure, and print the version, the number of workers, and the numbers of files and failures."
}

/// Verbs that read files without decoding them.
enum VerbosityOfReading: VerbosityUse {
  static let verbose: ArgumentHelp = "Add details to each failure."
}

/// Verbs about a library, a message store or texts, whose messages have no details.
enum VerbosityOfLibrary: VerbosityUse {
  static let verbose: ArgumentHelp = "Accepted for consistency; has no effect."
}

/// The options for messages on standard error, shared by all commands.
struct VerbosityOptions<Use: VerbosityUse>: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "On standard error, print only fatal errors, not failed files, counts or progress.")
  var quiet = false

  @Flag(name: .shortAndLong, help: Use.verbose)
  var verbose = false

  /// Takes effect here, before the command runs, so that no command can miss it.
  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be combined.") }
    Diagnostics.level = quiet ? .quiet : verbose ? .verbose : .usual
  }
}
