internal import ArgumentParser
internal import FileSupport
internal import MediaModel

/// `mediatool modules`: how does it show in a message?
struct ShowModules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modules",
    abstract: "Show what a thread shows of files and of multimedia messages.",
    discussion: """
      A message is a file that holds an MMS PDU; all other files together are one message that is about to be sent. Of each message: its \
      headers, and a module for each text and each file in their order, with links, a thumbnail, poster, cover or waveform, the name, and \
      what can be shown of it: ready, placeholder, corrupted, tooLarge, notDownloaded.

      The page of --html stands alone: no network, no other file and no script. It plays audio files and videos of up to 1 MiB.

      EXAMPLES
        mediatool modules received.mms
        mediatool modules Photos/*.jpg talk.m4a anna.vcf --html message.html
        mediatool modules received.mms --json | jq '.modules[] | select(.links)'

      EXIT STATUS
        0    every file and message was read
        1    some were not; each says so
        64   the command line is wrong
        70   the answer cannot be written
        130  stopped by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(help: ArgumentHelp("Write the messages as a page.", valueName: "file"), completion: .file())
  var html: PathBytes?

  @OptionGroup var running: RunOptions

  func validate() throws {
    try inputs.requireSome()
    if let html, !html.namesAnOutput {
      throw ValidationError("--html takes the name of a file, in UTF-8.")
    }
  }

  func run() throws {
    let batch = try Batch(running)
    let maker = ModuleMaker(engine: try batch.engine(for: inputs), stop: batch.stop, keepsPlayable: html != nil)
    let found = try batch.gather(try InputSource(inputs, stop: batch.stop)) { input in
      Result { () throws(Fault) in try maker.found(input) }
    }
    let messages = try Self.messages(found.map { try $0.found.get() })
    if let html { try OutputFile.writeOrFail(ModulePage(messages).bytes, to: html) }
    try write(messages)
    if messages.contains(where: \.hasFailed) { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// The messages in the order of the inputs; files are one, where the first of them stands.
  private static func messages(_ found: [ModuleMaker.Found]) -> [ShownMessage] {
    var messages: [ShownMessage] = []
    var files: [ModuleMaker.EncodedFile] = []
    var place: Int?
    for one in found {
      switch one {
      case .message(let message): messages.append(message)
      case .file(let file):
        place = place ?? messages.endIndex
        files.append(file)
      }
    }
    if let place { messages.insert(ShownMessage(modules: ModuleMaker.modules(of: files)), at: place) }
    return messages
  }

  private func write(_ messages: [ShownMessage]) throws {
    let writer = ResultWriter()
    do {
      for (number, message) in messages.enumerated() {
        if running.showsTable {
          if number > 0 { try writer.write(line: "") }
          for line in ModuleTable.lines(message) { try writer.write(line: line) }
        } else {
          try writer.write(line: try JSONLine.text(ModuleRecord(shown: message)))
        }
      }
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}
