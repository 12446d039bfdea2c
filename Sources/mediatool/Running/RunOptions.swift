internal import ArgumentParser
internal import Foundation

/// The options for running and output, shared by all commands that take files.
struct RunOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Process this many files at once, 1 to 256. (default: the number of cores, at most 256)", valueName: "n"),
    transform: Number.parser(1...256))
  var jobs: Int?

  @OptionGroup var isolation: IsolationOptions

  @Flag(help: "Print JSON. Default when standard output is not a terminal.")
  var json = false

  @Flag(help: "Print a table. Default on a terminal.")
  var table = false

  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfDecoding>

  func validate() throws {
    if json, table { throw ValidationError("--json and --table cannot be combined.") }
  }

  /// Whether this process decodes.
  var inProcess: Bool { isolation.inProcess }

  /// Number of concurrent jobs.
  var workers: Int { jobs ?? min(256, max(1, ProcessInfo.processInfo.activeProcessorCount)) }

  /// Whether results are shown as a table.
  var showsTable: Bool { table || (!json && Terminal.isTerminal(1)) }
}

/// The options for the isolation of decoders.
struct IsolationOptions: ParsableArguments {
  @Flag(
    help:
      "Decode in this process, without isolation, for trusted files only; a file that crashes a decoder ends the run."
  )
  var inProcess = false

  @Flag(help: "Run even if the kernel lacks Landlock or seccomp; by default, that is an error.")
  var allowWeakerIsolation = false
}
