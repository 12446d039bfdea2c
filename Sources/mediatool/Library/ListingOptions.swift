internal import ArgumentParser
internal import MediaLibrary

/// The output options of the verbs about a library.
struct ListingOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object per line. Default when standard output is not a terminal.")
  var json = false

  @Flag(help: "Print a table. Default on a terminal.")
  var table = false

  @Option(
    help: ArgumentHelp("Print at most this many results. (default: 50)", valueName: "n"),
    transform: Number.parser(1...Number.largest))
  var limit: Int?

  func validate() throws {
    if json, table { throw ValidationError("--json and --table cannot be combined.") }
  }

  var maximum: Int { limit ?? 50 }

  /// Whether results are shown as a table.
  var showsTable: Bool { table || (!json && Terminal.isTerminal(1)) }

  /// Shows files page by page, up to the limit.
  /// - Parameter record: Makes the record of a file; its number counts from 0.
  func show(
    _ page: (CatalogueCursor?, Int) throws -> CataloguePage,
    record: (CatalogueFile, Int) throws -> LibraryRecord = { file, _ in try LibraryRecord(file) }
  ) throws {
    let writer = ResultWriter()
    let table = LibraryRecord.table()
    if showsTable { try writer.write(line: table.heading) }
    var shown = 0
    var after: CatalogueCursor?
    repeat {
      let page = try page(after, min(500, maximum - shown))
      for file in page.files {
        let record = try record(file, shown)
        try writer.write(line: showsTable ? table.line(record.cells) : JSONLine.text(record))
        shown += 1
      }
      after = page.next
    } while after != nil && shown < maximum
    if showsTable { Diagnostics.say(ScanSummary.count(shown, "file")) }
  }
}
