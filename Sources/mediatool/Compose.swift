internal import ArgumentParser
internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MMSCodec
internal import MediaEngine
internal import MediaModel
internal import MessageFitting
internal import Messaging

/// `mediatool compose`: makes a multimedia message from files and texts.
struct Compose: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Compose a multimedia message of text and files within a carrier's size limit.",
    discussion: """
      Writes the encoded message (an M-Send.req PDU) for an MMS client to send; sends nothing itself. Text and files are in the order of \
      the command line: a folder is replaced by its files, and the files of --files-from come last.

      Images are rotated upright, and reduced only as far as needed to keep the encoded message within the limit; the available bytes are \
      distributed so that every image keeps as much detail as possible. Videos and audio files that are too large, or in a format that \
      the profile does not allow, are transcoded. The output lists what was changed and, if the message cannot be made to fit, which \
      files to remove. SIMILAR in the table and `similarity` in the JSON are the structural similarity (SSIM) to the source: 100 % or 1 \
      means identical.

      --metadata sets one rule for all files. strip removes location, dates, device, names and comments; a file from which they cannot \
      be removed is re-encoded if it is an image, a video or an audio file; any other file, and one that cannot be re-encoded, is refused. keep leaves the \
      metadata in files that are not re-encoded. refuse refuses every file that has, or may have, metadata.

      A message with only text, no subject, and only phone numbers as recipients is an SMS, unless its text needs more segments than the \
      profile allows. An SMS has no PDU: --dry-run prints its segments; with --output the command fails.

      A profile file is a JSON object with any of the keys name, maxMessageBytes, maxImageSize (width and height in pixels), \
      contentClass (text, imageBasic, imageRich, videoBasic, videoRich and megapixel, as OMA defines them; modern adds PNG and H.264), \
      maxRecipients, maxSubjectLength, maxSMSSegments (a longer text becomes an MMS; 0 means no limit), groupsRecipients (one MMS to several \
      recipients instead of one SMS each), maxAttachments, segmenter. segmenter is an object with any of the keys isStrict7Bit (true or \
      false), lockingLanguages and singleShiftLanguages (lists of language numbers of 3GPP TS 23.038, 1 to 13) and reference (5 for \
      one-byte, 6 for two-byte reference numbers). An absent key has the value of the preset mms-300k.

      EXAMPLES
        mediatool compose --to +15551234567 --text "We are there!" beach.jpg \\
          -o message.mms
        mediatool compose --to +15551234567 --text "At noon" noon.jpg \\
          --text "At night" night.jpg --profile mms-600k -o message.mms
        mediatool compose --to +15551234567 *.jpg --dry-run --json | jq '.changes[]'

      EXIT STATUS
        0    the message was written, or with --dry-run would be written
        1    a file is empty or cannot be read; nothing is written
        2    the message cannot be sent (`blockers` has the reasons), or it is
             an SMS and --output was given
        64   the command line or the profile file is invalid
        70   the message or results cannot be written, the file list cannot be
             read, or no worker can be started
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: ComposeInputs

  @Option(help: ArgumentHelp("Add a recipient: a phone number or an e-mail address. Repeatable.", valueName: "address"))
  var to: [String] = []

  @Option(help: "Set the subject; a message with a subject is an MMS, even with text only.")
  var subject: String?

  @Option(help: ProfileArgument.help, completion: ProfileArgument.completion, transform: ProfileArgument.parse)
  var profile: ProfileArgument?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the M-Send.req PDU to this file; - is standard output. Required unless --dry-run is given.",
      valueName: "file"),
    completion: .file())
  var output: PathBytes?

  @Flag(help: "Compose the message and print the result, but write no file.")
  var dryRun = false

  @Flag(
    help:
      "Shorten videos and audio files that are too long to fit; without this option, a message with such a file is refused."
  )
  var cut = false

  @Option(
    help: "Apply this rule to the metadata of all files: strip, keep or refuse. (default: strip)",
    completion: .list(["strip", "keep", "refuse"]), transform: Self.metadataRule)
  var metadata: MessageFit.MetadataRule?

  @Flag(help: "Request a delivery report from the carrier.")
  var deliveryReport = false

  @Flag(help: "Request read reports from the recipients.")
  var readReport = false

  @OptionGroup var running: RunOptions

  func validate() throws {
    // As from a variable of a script that is not set: the message would be sent to the others only.
    if to.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("--to is empty; give a phone number or an e-mail address.")
    }
    if dryRun, output != nil { throw ValidationError("--dry-run and --output cannot be combined.") }
    if !dryRun, output == nil { throw ValidationError("Missing output: name a file with --output, or add --dry-run.") }
    if let output, !output.isStandardInput, let problem = output.outputProblem(option: "--output") {
      throw ValidationError(problem)
    }
    if output?.isStandardInput == true, Terminal.isTerminal(1) {
      throw ValidationError(
        "--output - does not write binary data to a terminal; name a file, or redirect standard output.")
    }
  }

  func run() throws {
    let batch = try Batch(running)
    let profileFile = profile?.file
    let profile = profile?.profile ?? CarrierProfile()
    let items = try inputs.items(batch)
    let engine = try batch.engine(for: inputs.files)
    let files = try gather(items, batch, engine: engine)
    var record = ComposeRecord(
      composition: composition(items, files), profile: profile, subjectLength: subject.map(\.count),
      paths: files.map(\.input.path))
    record.failures = files.filter { $0.found.info.error != nil && !$0.found.isUsable }.map {
      ($0.input.path, $0.found.info.error)
    }
    guard record.failures.isEmpty else {
      try report(record)
      throw ExitCode(ExitStatus.someFailed.rawValue)
    }
    // Nothing is encoded for a message with too many files, which may be a whole folder.
    let message =
      files.count > profile.maxAttachments ? nil : try fit(&record, files, engine: engine, stop: batch.stop)
    if record.canSend, let message, !dryRun {
      let sources = inputs.files.namedFiles.union(files.compactMap { FileIdentity(of: $0.input) })
        .union([profileFile].compactMap { $0 })
      try write(message, of: &record, sources: sources)
    }
    try report(record)
    if record.type == .sms, output != nil {
      Diagnostics.say(
        """
        the message is an SMS, which has no PDU, and \(output.map { DisplayText.visible($0) } ?? "--output") was not written; print its \
        segments with --dry-run, or add --subject to make it an MMS
        """
      )
      throw ExitCode(ExitStatus.refused.rawValue)
    }
    if !record.canSend { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  private typealias File = (input: Input, found: ComposeFile)

  /// Finds the facts of the files. Standard input is read here, once.
  private func gather(_ items: [ComposeInputs.Item], _ batch: Batch, engine: MediaEngine) throws -> [File] {
    let inputs = items.compactMap { item in if case .file(let input) = item { input } else { nil } }
    let rest = Locked(inputs[...])
    var files: [File] = []
    try batch.each(
      next: { rest.withLock { $0.popFirst() } },
      path: \.path, work: { [stop = batch.stop] in ComposeFile($0, engine: engine, stop: stop) },
      deliver: { files.append(($0, $1)) })
    for file in files { if let error = file.found.info.error { try error.throwIfOurs() } }
    return files
  }

  /// The message as requested. Attachments are identified by number, because a file may be given twice.
  private func composition(_ items: [ComposeInputs.Item], _ files: [File]) -> MessageComposition {
    var number = 0
    let content = items.map { item -> MessageComposition.Item in
      switch item {
      case .text(let text): return .text(text)
      case .file:
        defer { number += 1 }
        let file = files[number]
        let attachment = MediaAttachment(
          id: ComposeRecord.id(number), name: String(decoding: file.input.name, as: UTF8.self), info: file.found.info)
        return .attachment(AttachmentDraft.Item(attachment))
      }
    }
    return MessageComposition(
      content: content, recipients: to.map { MessageRecipient(Self.text($0)) }, subject: subject.map(Self.text))
  }

  private static func metadataRule(_ argument: String) throws -> MessageFit.MetadataRule {
    guard let rule = MessageFit.MetadataRule(rawValue: argument) else {
      throw ValidationError("Unknown rule '\(argument)' for --metadata; expected strip, keep or refuse.")
    }
    return rule
  }

  /// An argument decoded as UTF-8; invalid bytes become U+FFFD.
  private static func text(_ argument: String) -> String {
    String(decoding: RawArguments.bytes(of: argument), as: UTF8.self)
  }

  private func fit(
    _ record: inout ComposeRecord, _ files: [File], engine: MediaEngine, stop: StopSignal
  ) throws -> MessageFitter.Fitted? {
    var sources: [MediaAttachment.ID: MediaSource] = [:]
    for (number, file) in files.enumerated() { sources[ComposeRecord.id(number)] = file.found.source }
    let (composition, profile) = (record.composition, record.profile)
    var fitter = MessageFitter(engine: engine, transcoder: EngineTranscoder(engine: engine, mayCut: cut))
    fitter.metadata = metadata ?? .strip
    let line = FittingLine(
      isWanted: Terminal.isTerminal(2),
      names: composition.attachments.reduce(into: [:]) { $0[$1.id] = DisplayText.visible($1.name ?? "") })
    let result = Waiting.result(stop: stop) {
      [sources, fitter] () async -> Result<MessageFitter.Outcome, MediaFailure> in
      do throws(MediaFailure) {
        return .success(
          try await fitter.fit(composition, under: profile, files: sources) { line.show($0) })
      } catch {
        return .failure(error)
      }
    }
    line.end()
    if stop.signal != nil {
      Diagnostics.say("interrupted before the message was composed")
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    do throws(MediaFailure) {
      switch try result.get() {
      case .fitted(let message):
        record.plan = message.plan
        return message
      case .refused(let refusal): record.refusal = refusal
      }
    } catch {
      try error.throwIfOurs()
      // The file was replaced after its facts were found.
      throw Fault(.someFailed, DisplayText.visible(error.message))
    }
    return nil
  }

  private func write(
    _ message: MessageFitter.Fitted, of record: inout ComposeRecord, sources: Set<FileIdentity>
  ) throws {
    guard let output, record.type == .mms else { return }
    var options = MessageComposition.SendOptions(
      transactionID: UUID().uuidString, date: Int(Date().timeIntervalSince1970))
    options.requestsDeliveryReport = deliveryReport
    options.requestsReadReport = readReport
    let octets: [UInt8]
    do { octets = try message.sendRequest(options).encoded() } catch {
      throw Fault(.software, "\(error)")
    }
    if output.isStandardInput {
      do { try ResultWriter().write(octets) } catch is ResultWriter.Closed { Batch.endLikeAnyOtherWriter() }
    } else {
      try OutputFile.writeOrFail(octets, to: output, sources: sources)
    }
    record.written = (output, octets.count)
  }

  /// Says what failed, and why the message cannot be sent.
  private func say(_ record: ComposeRecord) {
    for (path, failure) in record.failures { if let failure { Diagnostics.fail(path, failure) } }
    for line in ComposeTable.problems(record) { Diagnostics.note(DisplayText.visible(line)) }
  }

  private func report(_ record: ComposeRecord) throws {
    // The message itself is written to standard output.
    guard output?.isStandardInput != true || record.written == nil else { return say(record) }
    let writer = ResultWriter()
    do {
      guard running.showsTable else {
        try writer.write(line: JSONLine.text(record))
        if Diagnostics.namesFailures { say(record) }
        return
      }
      let table = Table(columns: ComposeTable.columns)
      let rows = ComposeTable.rows(record)
      if !rows.isEmpty { try writer.write(line: table.heading) }
      for row in rows { try writer.write(lines: table.lines(row)) }
      for line in ComposeTable.summary(record) {
        let parts = DisplayWidth.wrapped(DisplayText.visible(line), to: Terminal.width(STDOUT_FILENO))
        try writer.write(lines: parts)
      }
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}
