internal import ArgumentParser
internal import FileSupport

/// The options for engines that drive the command over many files: Spark, Ray, Hadoop, Slurm.
struct StreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Take requests from this list, one per line; - reads them from standard input. A request is a file name, or JSON: \
      {"id":…,"source":"/path"}; the id comes back in its result.
      """,
      valueName: "list"),
    completion: .file())
  var requests: PathBytes?

  @Flag(help: "Print each result as soon as it is there instead of in the order of the inputs.")
  var unordered = false

  @Flag(help: "Exit with 0 although files failed, because their results state it; implies --trailer.")
  var resultsOnlyStatus = false

  @Flag(help: "End the results with a line of counts, which is missing if the run did not reach its end.")
  var trailer = false

  @Option(
    help: ArgumentHelp(
      "Print a line on standard error every so many seconds, for engines that end silent commands.",
      valueName: "seconds"),
    transform: Seconds.parse)
  var heartbeat: Seconds?

  /// Checks them together with the inputs of the verb.
  func requireSome(_ inputs: InputOptions) throws {
    guard let requests else { return try inputs.requireSome() }
    guard inputs.files.isEmpty, inputs.filesFrom == nil else {
      throw ValidationError("--requests cannot be combined with files or --files-from.")
    }
    if requests.bytes.isEmpty { throw ValidationError("The file name of --requests is empty.") }
  }

  /// As ``Batch`` takes them.
  func settings(showsTable: Bool) -> Batch.Stream {
    Batch.Stream(
      isUnordered: unordered, isResultsOnly: resultsOnlyStatus,
      hasTrailer: (trailer || resultsOnlyStatus) && !showsTable, heartbeat: heartbeat?.value,
      endsWithParent: requests?.isStandardInput == true)
  }
}
