internal import ArgumentParser

/// The options for messages on standard error, shared by all verbs.
struct VerbosityOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong, help: "Print only what ends the run on standard error: no failed files, counts or progress.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Explain failures with the decoder's own message, and print how the run went.")
  var verbose = false

  /// Takes effect here, before the verb runs, so that no verb can miss it.
  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be combined.") }
    Diagnostics.level = quiet ? .quiet : verbose ? .verbose : .usual
  }
}
