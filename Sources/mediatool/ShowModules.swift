internal import ArgumentParser
internal import FileSupport
internal import MediaModel
internal import Messaging

/// `mediatool modules`: shows how files and messages look in a thread.
struct ShowModules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modules",
    abstract: "Show files, a received MMS or an e-mail as a chat app would.",
    discussion: """
      An MMS PDU, an e-mail, and each e-mail of an mbox are shown as one message each; all other files together as one outgoing message. For each message, prints \
      its headers and one module (block) per text and file, in their order: links, thumbnail, poster, cover art or waveform, the file's \
      name, and its state: ready; placeholder (an icon is shown because no image can be made; not a ThumbHash); corrupted (the file is damaged); tooLarge (a thumbnail would need \
      too much memory or time); notDownloaded (the carrier still has it).

      --output writes the parts of the messages into a folder, under safe names with the extension of their content; text is written in \
      UTF-8. No file is replaced: if a name exists, a number is added. If there are several messages, each gets a subfolder named after its \
      file. An MMS that has not been downloaded (a notification) has no parts.

      The page written by --html is self-contained: it needs no network, no other file and no script. It can play audio and video files \
      of up to 1 MiB; for larger videos it shows the poster.

      EXAMPLES
        mediatool modules received.mms
        mediatool modules Photos/*.jpg talk.m4a anna.vcf --html message.html
        mediatool modules received.mms -o parts
        mediatool modules message.eml
        mediatool modules received.mms --json | jq '.modules[] | select(.links)'

      EXIT STATUS
        0    every file and message was read
        1    some files failed; their results have an `error`
        64   the command line is invalid
        70   results cannot be written, the file list cannot be read, or no
             worker can be started
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(
    help: ArgumentHelp("Write the messages to this file as an HTML page.", valueName: "file"), completion: .file())
  var html: PathBytes?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write the parts of messages into this folder.", valueName: "dir"),
    completion: .directory)
  var output: PathBytes?

  @OptionGroup var running: RunOptions

  func validate() throws {
    try inputs.requireSome()
    try OutputFolder.checkName(output)
    if let problem = html?.outputProblem(option: "--html") { throw ValidationError(problem) }
  }

  func run() throws {
    let batch = try Batch(running)
    let folder = try output.map { path throws(Fault) in try OutputFolder(path) }
    let maker = ModuleMaker(
      engine: try batch.engine(for: inputs), stop: batch.stop, keepsPlayable: html != nil, keepsParts: folder != nil)
    let source = try InputSource(
      inputs, outputFolder: folder?.identity, named: folder != nil, stop: batch.stop)
    let found = try batch.gather(source) { input in
      Result { () throws(Fault) in try maker.found(input) }
    }
    var messages = try Self.messages(found.map { try $0.found.get() })
    if let folder {
      let writer = PartWriter(folder: folder, separatesMessages: messages.count(where: \.isMessage) > 1)
      for index in messages.indices { try writer.write(&messages[index]) }
    }
    if let html {
      let sources = inputs.namedFiles.union(found.compactMap { FileIdentity(of: $0.input) })
      try OutputFile.writeOrFail(ModulePage(messages).bytes, to: html, sources: sources)
    }
    // A page that was asked for alone is all the answer.
    let prints = html == nil || folder != nil || running.json || running.table
    if prints { try write(messages) }
    if Diagnostics.namesFailures || !prints { Self.say(messages) }
    if messages.contains(where: \.hasFailed) { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// The messages in the order of the inputs; all files form one message, at the position of the first file.
  private static func messages(_ found: [ModuleMaker.Found]) -> [ShownMessage] {
    var messages: [ShownMessage] = []
    var files: [ModuleMaker.EncodedFile] = []
    var place: Int?
    for one in found {
      switch one {
      case .messages(let found): messages += found
      case .file(let file):
        place = place ?? messages.endIndex
        files.append(file)
      }
    }
    if let place { messages.insert(ShownMessage(modules: ModuleMaker.modules(of: files)), at: place) }
    return messages
  }

  /// Says which messages and files failed.
  private static func say(_ messages: [ShownMessage]) {
    for message in messages {
      if let path = message.path, let failure = message.failure { Diagnostics.fail(path, failure) }
      for module in message.modules {
        if let failure = module.failure {
          Diagnostics.fail(module.path ?? PathBytes(module.module.filename ?? ""), failure)
        }
      }
    }
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
