internal import ArgumentParser
internal import FileSupport

/// The options for engines that drive the command over many files: Spark, Ray, Hadoop, Slurm.
struct StreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Take requests from this list, one per line; - reads them from standard input. A request is a file name, or JSON: \
      {"id":…,"source":"/path"}; the id is repeated in the result. Optional keys: name (the original file name, if it differs from source), \
      sizes (for `thumbnail` and `batch`: a list, instead of --size), bytes and etag (of a URL: the size and the entity tag that the object must have).
      """,
      valueName: "list"),
    completion: .file())
  var requests: PathBytes?

  @Flag(help: "Print each result as soon as it is ready instead of in the order of the inputs.")
  var unordered = false

  @Flag(help: "Exit with status 0 even if files failed; failures are reported only in the results. Implies --trailer.")
  var resultsOnlyStatus = false

  @Flag(help: "Print a last line with counts; if it is missing, the run was cut short.")
  var trailer = false

  @Option(
    help: ArgumentHelp(
      "Print a line on standard error at this interval, for batch systems that kill silent commands. (default: never)",
      valueName: "seconds"),
    transform: Seconds.parse)
  var heartbeat: Seconds?

  /// Checks them together with the inputs of the command.
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
      endsWithParent: requests?.isStandardInput == true && StandardInput.isPipe)
  }
}
