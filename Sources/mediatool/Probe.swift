internal import ArgumentParser
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// `mediatool probe`: what is it?
struct Probe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Say what files are: type, size, dimensions, length, when and where taken.",
    discussion: """
      Finds facts by the content of a file, never by its name, and says where the two disagree. Results come in the order of the \
      inputs: a table on a terminal, else JSON, one object a line. A fact that a file does not state has no key.

      EXAMPLES
        mediatool probe photo.jpg
        mediatool probe --json Photos | jq 'select(.latitude)'
        find . -name '*.mov' -print0 | mediatool probe --files-from - -0
        curl -s https://example.org/image | mediatool probe -

      EXIT STATUS
        0    every file was probed
        1    some results have an `error`
        64   the command line is wrong
        70   results cannot be written, or the list not read to its end
        130  stopped by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions
  @OptionGroup var running: RunOptions

  @Flag(help: "Add each file's SHA-256, for which all of it is read.")
  var digest = false

  @Option(
    help: ArgumentHelp("Seconds for the facts of one file; --digest has 60 more. (default: 2)", valueName: "seconds"),
    transform: Seconds.parse)
  var deadline: Seconds?

  func validate() throws { try inputs.requireSome() }

  func run() throws {
    let batch = try Batch(running)
    let source = try InputSource(inputs, stop: batch.stop)
    var options = ProbeOptions()
    options.digest = digest
    if let deadline { options.limits.probeSeconds = deadline.value }
    let engine = try batch.engine(for: inputs)
    let table =
      running.showsTable
      ? Table(columns: ProbeTable.columns(width: Terminal.width(1)), colors: Terminal.usesColors(1)) : nil

    try batch.run(source, heading: table?.heading) { [options, stop = batch.stop] input in
      do throws(Fault) {
        let record = try Self.record(of: input, options: options, engine: engine, stop: stop)
        let line = if let table { table.line(ProbeTable.cells(record)) } else { try JSONLine.text(record) }
        return .success(Batch.Row(lines: [line], failed: record.error != nil))
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
