internal import ArgumentParser
internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel
internal import PhotoTray

/// `mediatool tray`: where does it sit among the fifty most recent?
struct ShowTray: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tray",
    abstract: "Show the fifty most recent photos and videos of folders, and which may be chosen.",
    discussion: """
      The newest first, by the time at which they were taken, else by the time of the file. An image is never newer than its file: a \
      capture time more than a day after the file's last change is a wrong clock, and the file's time counts. So only as many files are \
      opened as changed recently enough to be among the fifty. Folders that may not be read make the access limited, or denied where \
      nothing may.

      The page of --html stands alone: no network, no other file, a keyboard is enough, and without scripts it is a plain grid.

      EXAMPLES
        mediatool tray Photos
        mediatool tray Photos --html tray.html --select Photos/a.jpg Photos/b.mov
        mediatool tray --library ~/.local/share/mediatool
        mediatool tray Photos --policy mms-300k --json | jq '.cells[] | select(.enabled)'

      EXIT STATUS
        0    the tray was made
        1    a folder is not there
        2    something of --select is refused
        64   the command line is wrong
        70   the answer cannot be written
        130  stopped by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(parsing: .upToNextOption, help: ArgumentHelp("Choose these files, in this order.", valueName: "file"))
  var select: [PathArguments] = []

  @Option(help: PolicyArgument.help, transform: PolicyArgument.parse)
  var policy: PolicyArgument?

  @Option(help: ArgumentHelp("Write the tray as a page.", valueName: "file"), completion: .file())
  var html: PathBytes?

  @Option(help: ArgumentHelp("Write the tray as one image, a PNG.", valueName: "file"), completion: .file())
  var sheet: PathBytes?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the thumbnails into this folder; without it they are in the JSON.", valueName: "dir"),
    completion: .directory)
  var output: PathBytes?

  @Flag(help: "The fastest images: those that the files carry of themselves, however small.")
  var draft = false

  @OptionGroup var use: LibraryUse
  @OptionGroup var running: RunOptions

  func validate() throws {
    if use.library == nil { try inputs.requireSome() }
    if use.library != nil, !inputs.files.isEmpty || inputs.filesFrom != nil {
      throw ValidationError("--library takes the place of folders: scan them into it.")
    }
    for path in [html, sheet].compactMap({ $0 }) where !path.namesAnOutput {
      throw ValidationError("--html and --sheet take the name of a file, in UTF-8.")
    }
    if let output, output.bytes.isEmpty || output.hasNUL {
      throw ValidationError("--output needs the name of a folder.")
    }
  }

  func run() throws {
    let batch = try Batch(running)
    let library = try use.reader()
    let engine = try batch.fileEngine(for: inputs, library: library)
    let folder = try output.map { path throws(Fault) in try OutputFolder(path) }
    let rules = policy?.rules ?? AttachmentRules()
    var tray =
      if let library {
        try FolderTray(library, rules: rules, batch: batch, engine: engine, requests: requests, draft: draft)
      } else {
        try FolderTray(
          InputSource(inputs, outputFolder: folder?.identity, stop: batch.stop), rules: rules, batch: batch,
          engine: engine,
          requests: requests, draft: draft)
      }
    for path in select.flatMap(\.paths) { try tray.select(path, engine: engine) }

    if let html { try OutputFile.writeOrFail(TrayPage(tray).bytes(), to: html) }
    if let sheet { try OutputFile.writeOrFail(TraySheet(tray).png(by: engine), to: sheet) }
    try write(tray, thumbnails: folder)
    for path in tray.missing { Diagnostics.say("\(DisplayText.visible(path)) is not there") }
    for (name, reasons) in tray.refused {
      for reason in reasons { Diagnostics.say(DisplayText.visible(RefusalSentence.text(reason, name: name))) }
    }
    if !tray.refused.isEmpty { throw ExitCode(ExitStatus.refused.rawValue) }
    if !tray.missing.isEmpty { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// The named size for the grid, and a PNG of it for the sheet.
  private var requests: [RenditionRequest] {
    guard let grid = RenditionRequest.named("grid") else { return [] }
    var png = grid
    png.name = TraySheet.rendition
    png.format = .png
    return sheet == nil ? [grid] : [grid, png]
  }

  /// Writes the answer to standard output, the thumbnails before it where they have a folder.
  private func write(_ tray: FolderTray, thumbnails folder: OutputFolder?) throws {
    var record = TrayRecord(folder: tray)
    if let folder {
      for (number, item) in tray.tray.items.enumerated() {
        guard let rendition = tray.rendition("grid", of: item.id) else { continue }
        // By their place: a name of a stranger's would have to be made fit first.
        let name = "\(number + 1).grid.\(rendition.type.preferredExtension ?? "bin")"
        if case .success(let file) = try folder.write(rendition.data, to: name) { record.files[item.id] = file }
      }
    }
    let writer = ResultWriter()
    do {
      guard running.showsTable else { return try writer.write(line: JSONLine.text(record)) }
      let table = Table(columns: TrayTable.columns(width: Terminal.width(1)), colors: Terminal.usesColors(1))
      try writer.write(line: table.heading)
      for row in TrayTable.rows(tray) { try writer.write(line: table.line(row)) }
      Diagnostics.say(TrayTable.summary(tray.tray))
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}
