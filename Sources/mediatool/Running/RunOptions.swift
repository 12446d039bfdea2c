internal import ArgumentParser
internal import Foundation

/// How it is run and how results are shown: the same for every verb that takes files.
struct RunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Files worked on at once, 1…256. (default: the number of cores)", valueName: "n"),
    transform: Number.parser(1...256))
  var jobs: Int?

  @OptionGroup var isolation: IsolationOptions

  @Flag(help: "Results as JSON, one object a line. Default when standard output is not a terminal.")
  var json = false

  @Flag(help: "Results as a table. Default on a terminal.")
  var table = false

  func validate() throws {
    if json, table { throw ValidationError("--json and --table cannot both be given.") }
  }

  /// Whether this process decodes itself.
  var inProcess: Bool { isolation.inProcess }

  /// Threads that work.
  var workers: Int { jobs ?? min(256, max(1, ProcessInfo.processInfo.activeProcessorCount)) }

  /// Whether people are to read the results.
  var showsTable: Bool { table || (!json && Terminal.isTerminal(1)) }
}

/// What stands between a file and this machine.
struct IsolationOptions: ParsableArguments {
  @Flag(
    help:
      "Decode in the command's own process, not in workers without files and network: a file that crashes it ends the run."
  )
  var inProcess = false

  @Flag(help: "Go on where the kernel lacks Landlock or seccomp; workers are then less isolated.")
  var allowWeakerIsolation = false
}
