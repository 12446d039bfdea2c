internal import ArgumentParser
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// `mediatool probe`: prints the facts of files.
struct Probe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Print type, size, dimensions, duration, capture time and location of files.",
    discussion: """
      Prints the facts of each file: those above and others, such as codecs, camera, color profile and damage. The type comes from a file's \
      content, never from its name; a mismatch between the two is reported. Results are printed in the order of the inputs: as a table \
      on a terminal, otherwise as one JSON object per line. Keys that do not apply to a file are omitted.

      EXAMPLES
        mediatool probe photo.jpg
        mediatool probe --json Photos | jq 'select(.latitude)'
        find . -name '*.mov' -print0 | mediatool probe --files-from - -0
        curl -s https://example.org/image | mediatool probe -
        mediatool probe --requests list.ndjson --results-only-status
        mediatool probe https://example.org/video.mp4 s3://bucket/photo.jpg

      EXIT STATUS
        0    every file was probed
        1    some files failed; their results have an `error`
        64   the command line is invalid
        70   results cannot be written, the file list cannot be read, or no
             worker can be started
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions
  @OptionGroup var stream: StreamOptions
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var running: RunOptions

  @Flag(help: "Add the SHA-256 of each file; reads the whole file.")
  var digest = false

  @Option(
    help: ArgumentHelp(
      "Fail a file with timedOut after this many seconds; --digest adds 60. If given, it also limits the requests for a URL. (default: 2)",
      valueName: "seconds"),
    transform: Seconds.parse)
  var deadline: Seconds?

  func validate() throws { try stream.requireSome(inputs) }

  func run() throws {
    try remote.prepare(for: inputs, stream, running, deadline: deadline)
    let batch = try Batch(running)
    let source = try InputSource(inputs, requests: stream.requests, takesRemote: true, stop: batch.stop)
    var options = ProbeOptions()
    options.digest = digest
    if let deadline { options.limits.probeSeconds = deadline.value }
    let engine = try batch.engine(for: inputs, areMany: stream.requests != nil, libraries: .facts)
    let table = running.showsTable ? Table(columns: ProbeTable.columns) : nil
    // One file has room for all of its facts.
    let isAlone = inputs.files.count == 1 && !inputs.mayBeMany && stream.requests == nil
    let heading = isAlone ? nil : table.map { table in { table.heading } }

    try batch.run(source, heading: heading, stream: stream.settings(showsTable: running.showsTable)) {
      [options, stop = batch.stop] input in
      do throws(Fault) {
        var record = try Self.record(of: input, options: options, engine: engine, stop: stop)
        record.fetched = input.fetched
        let lines =
          if let table {
            isAlone ? table.lines(FactsView.facts(record)) : table.lines(ProbeTable.row(record))
          } else {
            [try JSONLine.text(record, id: input.request?.id)]
          }
        return .success(Batch.Row(lines: lines, failure: record.error))
      } catch {
        return .failure(error)
      }
    }
  }

  private static func record(
    of input: Input, options: ProbeOptions, engine: MediaEngine, stop: StopSignal
  ) throws(Fault) -> ProbeRecord {
    let job = MediaJob(facts: .found(options, claim: input.claim))
    do throws(MediaFailure) {
      let answer = try engine.answerBlocking(job, input.source(limits: options.limits, stop: stop))
      let info = answer.result.info
      if !answer.wasOpened, let failure = info.error { return ProbeRecord(path: input.path, failure: failure) }
      return ProbeRecord(path: input.path, info: info)
    } catch {
      try error.throwIfOurs()
      return ProbeRecord(path: input.path, failure: error)
    }
  }
}
