internal import FileSupport
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel

/// Prints the events of a scan, as lines of JSON or as text.
struct ScanOutput: Sendable {
  /// Whether there is a library.
  let keeps: Bool
  /// Whether results are shown as a table.
  let showsTable: Bool
  /// The last line of a terminal, which shows how far the scan is.
  var line: ScanProgressLine
  /// The totals; nil before the end.
  private(set) var totals: MediaScan.Totals?
  /// Whether everything was scanned and a watch has begun.
  private(set) var isWatching = false
  private let writer = ResultWriter()

  init(keeps: Bool, showsTable: Bool, line: ScanProgressLine) {
    (self.keeps, self.showsTable, self.line) = (keeps, showsTable, line)
  }

  /// Prints a batch of events.
  /// - Throws: `ResultWriter.Closed`, or a ``Fault`` if the results cannot be written.
  mutating func take(_ batch: [MediaScan.Event]) throws {
    var lines: [String] = []
    for event in batch {
      switch event {
      case .file(let file):
        if !showsTable { lines.append(try Self.line(of: file, keeps: keeps)) }
        // A failure that was reported by an earlier scan is not repeated.
        // On a terminal the summary counts them, and --failures lists them.
        let isNamed = Diagnostics.namesFailures || Diagnostics.level == .verbose
        if let failure = file.failure, file.state != .unchanged, isNamed {
          line.end()
          Diagnostics.fail(file.path, failure)
        }
      case .problem(let problem):
        if !showsTable { lines.append(try JSONLine.text(ScanRecord(problem))) }
        if Diagnostics.namesFailures || showsTable {
          line.end()
          Diagnostics.fail(problem.path, problem.failure)
        }
      case .progress(let progress): line.show(progress)
      case .watching(let folders):
        isWatching = true
        line.end()
        Self.say(folders)
      case .finished(let totals, _): self.totals = totals
      }
    }
    if !lines.isEmpty { try writer.write(lines: lines) }
  }

  private static func line(of file: MediaScan.Event.File, keeps: Bool) throws(Fault) -> String {
    guard file.state == .unchanged else { return try JSONLine.text(ScanRecord(file, keeps: keeps)) }
    return try ScanRecord.unchanged(file.path)
  }

  private static func say(_ folders: MediaScan.Event.WatchedFolders) {
    Diagnostics.note("watching \(ScanSummary.count(folders.watched, "folder")); press Ctrl-C to stop")
    let missing = folders.unwatched
    guard missing > 0 else { return }
    let limit = folders.limit.map { " (\($0))" } ?? ""
    Diagnostics.note(
      """
      \(ScanSummary.count(missing, "folder")) cannot be watched: the limit fs.inotify.max_user_watches is reached\(limit). All folders are \
      scanned once a minute until you raise it: sudo sysctl fs.inotify.max_user_watches=\(enough(folders.watched + missing))
      """)
  }

  /// A suggested limit with room for as many folders again.
  private static func enough(_ folders: Int) -> Int {
    var limit = 8_192
    while limit < 2 * folders, limit < 1 << 40 { limit *= 2 }
    return limit
  }
}
