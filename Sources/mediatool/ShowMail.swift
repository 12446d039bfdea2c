internal import ArgumentParser
internal import FileSupport
internal import Glibc
internal import Mail
internal import MediaModel

/// `mediatool mail`: lists the parts of mails.
struct ShowMail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail",
    abstract: "List the parts of e-mails, or print the text or one part of an e-mail.",
    discussion: """
      A file is an e-mail, or an mbox with several. In a folder, the e-mails of Maildirs (cur and new) and files named .eml, .mbox and .mbx are \
      read. For each e-mail, prints its header, then its parts: the IMAP section, the type, the role (body, inlinePicture, \
      attachment, attachedMessage …), the name and the size after decoding. Files inside winmail.dat (TNEF), uuencode, yEnc and encoded \
      messages are parts too, with sections such as 2.tnef.1. Starts no worker and opens no network connection.

      With --bodystructure, the input is IMAP BODYSTRUCTURE lines instead, including IMAP literals ({n}); sizes of encoded parts are then estimated.

      EXAMPLES
        mediatool mail message.eml
        mediatool mail --json ~/Maildir | jq 'select(.role == "attachment").name'
        mediatool mail message.eml --text
        mediatool mail message.eml --extract 2 > photo.jpg

      EXIT STATUS
        0    every e-mail was read
        1    some files failed, or there is no such part
        64   the command line is invalid
        70   results cannot be written, or the file list cannot be read
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Flag(help: "Read IMAP BODYSTRUCTURE lines, one per e-mail, instead of e-mails.")
  var bodystructure = false

  @Flag(
    help:
      "Print the text of each e-mail instead of its parts: the plain-text part, otherwise the HTML part without markup."
  )
  var text = false

  @Flag(help: "Add the SHA-256 of each part's decoded bytes.")
  var digest = false

  @Option(
    help: ArgumentHelp(
      "Write the decoded bytes of the part with this section, such as 2 or 1.2, to standard output; takes one file with one e-mail.",
      valueName: "section"))
  var extract: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Read this many files at once, 1 to 256. (default: the number of cores, at most 256)", valueName: "n"),
    transform: Number.parser(1...256))
  var jobs: Int?

  @Flag(help: "Print JSON. Default when standard output is not a terminal.")
  var json = false

  @Flag(help: "Print a table. Default on a terminal.")
  var table = false

  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfReading>

  func validate() throws {
    try inputs.requireSome()
    if json, table { throw ValidationError("--json and --table cannot be combined.") }
    if text, extract != nil { throw ValidationError("--text and --extract cannot be combined.") }
    if bodystructure, text || digest || extract != nil {
      throw ValidationError(
        "--bodystructure has no bodies, so it cannot be combined with --text, --digest or --extract.")
    }
    if extract != nil, inputs.mayBeMany { throw ValidationError("--extract reads one file, but several are named.") }
  }

  func run() throws {
    // No decoder runs, so there is nothing to isolate.
    var arguments = jobs.map { ["--jobs", String($0)] } ?? []
    if json { arguments.append("--json") }
    if table { arguments.append("--table") }
    let batch = try Batch(RunOptions.parse(arguments))
    let source = try InputSource(inputs, stop: batch.stop)
    if let extract { return try write(section: extract, source, batch) }
    let format: MailLines.Format = batch.options.showsTable ? .table : json || !text ? .json : .plain
    let lines = MailLines(format: format, showsText: text, addsDigests: digest)
    try batch.run(source, heading: nil) { [stop = batch.stop, bodystructure] input in
      guard MailInput.isRead(input) else { return .success(Batch.Row(lines: [], failure: nil)) }
      do throws(MediaFailure) {
        if bodystructure {
          let bytes = try MessageBytes.read(input, limit: MailInput.maxBytes, stop: stop)
          return Result { () throws(Fault) in
            Batch.Row(lines: try lines.lines(ofBodyStructures: bytes, input), failure: nil)
          }
        }
        let file = try MailFile(input, stop: stop)
        let result = Result { () throws(Fault) in
          Batch.Row(lines: try lines.lines(of: file.source, input), failure: nil)
        }
        try file.check()
        return result
      } catch {
        let failure = error
        return Result { () throws(Fault) in
          Batch.Row(lines: try lines.lines(of: failure, input.path), failure: failure)
        }
      }
    }
  }

  /// Writes the decoded bytes of one part.
  private func write(section: String, _ source: consuming sending InputSource, _ batch: Batch) throws {
    var source = source
    guard let input = try source.next() else { return }
    let writer = ResultWriter()
    do {
      let file = try MailFile(input, stop: batch.stop)
      try MailInput.read(section, in: file.source) { piece in
        // What could not be read is not the part: nothing of it is written.
        try file.check()
        try writer.write(piece)
      }
      try file.check()
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    } catch let error as MediaFailure {
      Diagnostics.fail(input.path, error)
      throw ExitCode(ExitStatus.someFailed.rawValue)
    }
  }
}
