internal import ArgumentParser
internal import FileSupport
internal import MessageStore

/// `mediatool messages`: lists the threads and messages of a message store, and exports a thread.
struct ShowMessages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages",
    abstract: "List the threads and messages that an app has stored, or export a thread.",
    discussion: """
      DIR is a message store (a folder with messages.sqlite). It is opened read-only, which is safe while the app that writes it is \
      running; nothing in it changes, and no message is sent or marked as read.

      Lists the threads, newest first: number, time of the last message, message and unread counts, participants, and whether \
      there is a draft or the last message failed. --show lists the messages of a thread: number, time, direction, type, state, sizes, \
      and of sent messages the state for each recipient. Subjects, texts and file names are private: they are printed only with \
      --text, in the table as well as in JSON. Addresses of participants are always printed.

      --export writes the messages of a thread into a folder, with texts and files: messages.ndjson has one line per message, and \
      each message's files are in a folder with its number. File names are made safe, and no existing file is replaced. All messages are written, \
      unless --limit is given.

      --verify reads every message, recomputes the counts and other values that are derived from the messages, and compares every file with its digest. Each problem is a \
      line with a code and a detail. Nothing is repaired. The search index is not checked, because that requires opening the store for writing.

      EXAMPLES
        mediatool messages ~/App/messages
        mediatool messages ~/App/messages --show 12
        mediatool messages ~/App/messages --show 12 --json | jq .state
        mediatool messages ~/App/messages --export 12 -o thread-12

      EXIT STATUS
        0    the threads or messages were listed or exported; with --verify, no
             problem was found
        1    the thread does not exist, a file was not exported, or there are
             problems
        64   the command line is invalid, or the folder is not a message store
        70   the messages cannot be read, or results cannot be written
      """)

  @Argument(
    help: ArgumentHelp("The message store: a folder with messages.sqlite.", valueName: "dir"), completion: .directory)
  var folder: PathBytes

  @Option(
    help: ArgumentHelp("List the messages of the thread with this number, newest first.", valueName: "thread"),
    transform: Number.parser(1...Number.largest))
  var show: Int?

  @Option(
    help: ArgumentHelp("Write the messages of the thread with this number into a folder.", valueName: "thread"),
    transform: Number.parser(1...Number.largest))
  var export: Int?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder that --export writes into.", valueName: "dir"),
    completion: .directory)
  var output: PathBytes?

  @Flag(help: "Also print subjects, texts and file names.")
  var text = false

  @Flag(help: "Check the messages and their files, and print each problem.")
  var verify = false

  @OptionGroup var listing: ListingOptions

  func validate() throws {
    if folder.bytes.isEmpty || folder.hasNUL {
      throw ValidationError("The folder name of the message store is empty or contains a NUL byte.")
    }
    if show != nil, export != nil { throw ValidationError("--show and --export cannot be combined.") }
    if export != nil, output == nil { throw ValidationError("--export needs --output.") }
    if output != nil, export == nil { throw ValidationError("--output needs --export.") }
    if verify, show != nil || export != nil || text {
      throw ValidationError("--verify cannot be combined with --show, --export or --text.")
    }
    try OutputFolder.checkName(output)
  }

  func run() throws {
    do {
      let store = try MessageStore(reading: folder)
      defer { try? store.close() }
      if let show { return try list(MessageStore.Thread.ID(rawValue: Int64(show)), store) }
      if let export, let output {
        return try ThreadExport(store, to: output, options: self).run(MessageStore.Thread.ID(rawValue: Int64(export)))
      }
      if verify { return try StoreVerification(store: store, showsTable: listing.showsTable).run() }
      try listThreads(store)
    } catch let error as MessageStore.Failure {
      try fail(error)
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }

  private func listThreads(_ store: MessageStore) throws {
    try write(heading: StoredThreadTable.table) { (after: MessageStore.Cursor?, limit) in
      let page = try store.threads(after: after, limit: limit)
      return (
        try page.map { thread in
          let record = StoredThreadRecord(thread: thread, showsText: text)
          return listing.showsTable ? StoredThreadTable.lines(record) : [try JSONLine.text(record)]
        }, page.last?.cursor
      )
    }
  }

  private func list(_ thread: MessageStore.Thread.ID, _ store: MessageStore) throws {
    _ = try store.thread(thread)
    try write(heading: StoredMessageTable.table) { (before: MessageStore.Cursor?, limit) in
      let page = try store.messages(in: thread, before: before, limit: limit)
      return (
        try page.map { message in
          let record = StoredMessageRecord(message: message, showsText: text)
          return listing.showsTable ? StoredMessageTable.lines(record) : [try JSONLine.text(record)]
        }, page.last?.cursor
      )
    }
  }

  /// Writes pages of rows until the limit is reached.
  private func write<Cursor>(
    heading: Table, _ page: (Cursor?, Int) throws -> (rows: [[String]], next: Cursor?)
  ) throws {
    let writer = ResultWriter()
    if listing.showsTable { try writer.write(line: heading.heading) }
    var left = listing.maximum
    var cursor: Cursor?
    while left > 0 {
      let (rows, next) = try page(cursor, min(500, left))
      if rows.isEmpty { break }
      try writer.write(lines: rows.flatMap(\.self))
      left -= rows.count
      cursor = next
    }
  }

  /// Reports a thread that is not there as a failure, and everything else as the end of the run.
  private func fail(_ error: MessageStore.Failure) throws -> Never {
    let line = "\(DisplayText.visible(folder)): \(error.code.rawValue): \(DisplayText.visible(error.message))"
    switch error.code {
    case .notFound:
      Diagnostics.say(line)
      throw ExitCode(ExitStatus.someFailed.rawValue)
    case .notAStore, .newerSchema: throw Fault(.usage, line)
    default: throw Fault(.software, line + (error.detail.map { " (\(DisplayText.visible($0)))" } ?? ""))
    }
  }
}
