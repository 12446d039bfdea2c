internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// The output options of the commands about a library.
struct ListingOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object per line. Default when standard output is not a terminal.")
  var json = false

  @Flag(help: "Print a table. Default on a terminal.")
  var table = false

  @Option(
    help: ArgumentHelp("Print at most this many results. (default: 50)", valueName: "n"),
    transform: Number.parser(1...Number.largest))
  var limit: Int?

  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfLibrary>

  func validate() throws {
    if json, table { throw ValidationError("--json and --table cannot be combined.") }
  }

  var maximum: Int { limit ?? 50 }

  /// Whether results are shown as a table.
  var showsTable: Bool { table || (!json && Terminal.isTerminal(1)) }

  /// Prints the paths of files, as they are where something else reads them; all of them, unless a limit was named.
  /// - Returns: Files that were skipped because their rows are damaged.
  func showPaths(nulSeparated: Bool, _ page: (CatalogueFile.Cursor?, Int) throws -> CatalogueFile.Page) throws
    -> DamagedRows
  {
    let writer = ResultWriter()
    var damaged = DamagedRows()
    let maximum = limit ?? .max
    let isRaw = nulSeparated || !Terminal.isTerminal(1)
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try page(after, min(500, maximum - shown))
      for file in page.damaged { damaged.note(file) }
      var bytes: [UInt8] = []
      for file in page.files {
        bytes += isRaw ? file.stamp.path.bytes : Array(DisplayText.visible(file.stamp.path).utf8)
        bytes.append(nulSeparated ? 0 : UInt8(ascii: "\n"))
      }
      try writer.write(bytes)
      shown += page.files.count
      after = page.next
    } while after != nil && shown < maximum
    return damaged
  }

  /// Shows files page by page, up to the limit.
  /// - Parameter record: Makes the record of a file; its number counts from 0.
  /// - Returns: Files that were skipped because their rows are damaged.
  @discardableResult
  func show(
    _ page: (CatalogueFile.Cursor?, Int) throws -> CatalogueFile.Page,
    record: (CatalogueFile, Int) throws(LibraryError) -> LibraryRecord = { (file, _) throws(LibraryError) in
      try LibraryRecord(file)
    }
  ) throws -> DamagedRows {
    let writer = ResultWriter()
    let table = LibraryRecord.table()
    if showsTable { try writer.write(line: table.heading) }
    var damaged = DamagedRows()
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try page(after, min(500, maximum - shown))
      for file in page.damaged { damaged.note(file) }
      for file in page.files {
        guard let record = try damaged.unlessDamaged({ () throws(LibraryError) in try record(file, shown) }) else {
          continue
        }
        try writer.write(lines: showsTable ? table.lines(record.row) : [JSONLine.text(record)])
        shown += 1
      }
      after = page.next
    } while after != nil && shown < maximum
    if showsTable { Diagnostics.note(ScanSummary.count(shown, "file")) }
    return damaged
  }
}
