internal import ArgumentParser
internal import FileSupport
internal import MediaModel
internal import MessageStore
internal import Messaging

/// Writes a thread into a folder: `messages.ndjson` with a line per message, oldest first, and the texts and files of each message in a folder with
/// its number. Names of files are made safe like those of `modules`, and nothing that exists is replaced.
struct ThreadExport {
  private let store: MessageStore
  private let folder: OutputFolder
  private let options: ShowMessages

  /// Creates the folder if necessary.
  init(_ store: MessageStore, to path: PathBytes, options: ShowMessages) throws(Fault) {
    (self.store, self.options) = (store, options)
    folder = try OutputFolder(path)
  }

  /// Writes the thread, and prints each message as `--show` does.
  func run(_ thread: MessageStore.Thread.ID) throws {
    _ = try store.thread(thread)
    var lines: [String] = []
    var printed: [String] = options.listing.showsTable ? [StoredMessageTable.table.heading] : []
    var failed = 0
    for message in try messages(thread) {
      let written = try write(message)
      failed += written.count { if case .failure? = $0 { true } else { false } }
      lines.append(try JSONLine.text(StoredMessageRecord(message: message, showsText: true, written: written)))
      let record = StoredMessageRecord(message: message, showsText: options.text, written: written)
      printed += options.listing.showsTable ? StoredMessageTable.lines(record) : [try JSONLine.text(record)]
    }
    let list = lines.map { $0 + "\n" }.joined()
    if case .failure(let failure) = try folder.writeNew(Array(list.utf8), to: "messages.ndjson") {
      throw Fault(.software, "cannot write messages.ndjson: \(failure.message)")
    }
    // Afterwards: a reader that goes away ends the run.
    try ResultWriter().write(lines: printed)
    if failed > 0 {
      Diagnostics.note("\(RefusalSentence.counted(failed, "file")) could not be exported")
      throw ExitCode(ExitStatus.someFailed.rawValue)
    }
  }

  /// The messages of a thread, oldest first; the newest of them if a limit was named.
  private func messages(_ thread: MessageStore.Thread.ID) throws(MessageStore.Failure) -> [MessageStore.Message] {
    var left = options.listing.limit ?? .max
    var messages: [MessageStore.Message] = []
    while left > 0 {
      let page = try store.messages(in: thread, before: messages.last?.cursor, limit: min(500, left))
      if page.isEmpty { break }
      messages += page
      left -= page.count
    }
    return messages.reversed()
  }

  private static func read(_ path: PathBytes) throws(MediaFailure) -> [UInt8] {
    let descriptor = try MediaFile.open(path)
    defer { FileSystem.release(descriptor) }
    do throws(FileError) { return try FileSystem.contents(of: descriptor) } catch {
      throw MediaFailure(.unreadable, "The file of the message cannot be read: \(error.reason).")
    }
  }

  /// Writes the texts and files of a message; nil for one that is still at the carrier.
  private func write(_ message: MessageStore.Message) throws(Fault) -> [Result<PathBytes, MediaFailure>?] {
    var names = FileNames()
    var written: [Result<PathBytes, MediaFailure>?] = []
    for part in message.parts {
      let bytes: [UInt8]
      if let text = part.text {
        bytes = Array(text.utf8)
      } else if let path = part.path {
        do throws(MediaFailure) { bytes = try Self.read(path) } catch {
          written.append(.failure(error))
          continue
        }
      } else {
        written.append(nil)
        continue
      }
      let name = names.name(for: part.text == nil ? part.name : part.name ?? "text.txt", type: part.type)
      written.append(try folder.writeNew(bytes, to: "\(message.id.rawValue)/\(name)"))
    }
    return written
  }
}
