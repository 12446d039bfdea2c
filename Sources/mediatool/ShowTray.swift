internal import ArgumentParser
internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel
internal import PhotoTray

/// `mediatool tray`: shows the fifty most recent photos and videos.
struct ShowTray: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tray",
    abstract: "List the 50 most recent photos and videos, and which of them a policy accepts.",
    discussion: """
      Lists the newest files first, by capture time, or by modification time if a file has no capture time. A capture time more than a day \
      after the file was last changed is ignored, because the camera's clock was wrong. A file that was changed too long ago to be among the 50 \
      is not opened. With --library, lists the most recent files of that library instead of files and folders. In the JSON, `access` is \
      `limited` if a folder cannot be read, and `denied` if none can be read.

      The page written by --html is self-contained: it needs no network and no other file, and can be used with the keyboard alone. \
      Without JavaScript it is a static grid.

      EXAMPLES
        mediatool tray Photos
        mediatool tray Photos --html tray.html --select Photos/a.jpg Photos/b.mov
        mediatool tray --library ~/.local/share/mediatool
        mediatool tray Photos --policy mms-300k --json |
          jq '.cells[] | select(.enabled)'

      EXIT STATUS
        0    the tray was printed
        1    a named file or folder does not exist, a thumbnail cannot be
             written, or a row of the library is damaged
        2    a file of --select is refused
        64   the command line or the policy file is invalid
        70   results cannot be written, the file list cannot be read, or no
             worker can be started
        130  interrupted by Ctrl-C or SIGTERM
      """)

  @OptionGroup var inputs: InputOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Select these files, in this order; takes all names up to the next option.", valueName: "file"),
    completion: .file())
  var select: [PathArguments] = []

  @Option(help: PolicyArgument.help, completion: PolicyArgument.completion, transform: PolicyArgument.parse)
  var policy: PolicyArgument?

  @Option(help: ArgumentHelp("Write the tray to this file as an HTML page.", valueName: "file"), completion: .file())
  var html: PathBytes?

  @Option(help: ArgumentHelp("Write the tray to this file as a PNG image.", valueName: "file"), completion: .file())
  var sheet: PathBytes?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the thumbnails into this folder; the JSON then has their paths instead of data URLs.", valueName: "dir"),
    completion: .directory)
  var output: PathBytes?

  @Flag(
    help:
      "For speed, use the thumbnails embedded in the files, even if they are small or differ from the images. Files without one are decoded."
  )
  var draft = false

  @OptionGroup var use: TrayLibrary
  @OptionGroup var running: RunOptions

  func validate() throws {
    if use.library == nil { try inputs.requireSome() }
    if use.library != nil, !inputs.files.isEmpty || inputs.filesFrom != nil {
      throw ValidationError("--library cannot be combined with files or folders; scan them into the library first.")
    }
    let problem = html?.outputProblem(option: "--html") ?? sheet?.outputProblem(option: "--sheet")
    if let problem { throw ValidationError(problem) }
    try OutputFolder.checkName(output)
  }

  func run() throws {
    let batch = try Batch(running)
    let library = try use.reader()
    let engine = try batch.fileEngine(for: inputs, library: library)
    let folder = try output.map { path throws(Fault) in try OutputFolder(path) }
    let rules = policy?.rules ?? AttachmentRules()
    let chosen = select.flatMap(\.paths)
    var tray =
      if let library {
        try FolderTray(
          library, rules: rules, choosing: chosen, batch: batch, engine: engine, requests: requests, draft: draft)
      } else {
        try FolderTray(
          InputSource(inputs, outputFolder: folder?.identity, stop: batch.stop), rules: rules, choosing: chosen,
          batch: batch, engine: engine, requests: requests, draft: draft)
      }
    for path in chosen { try tray.select(path, engine: engine) }

    let sources = inputs.namedFiles.union(tray.sources).union(FileIdentity.all(chosen))
      .union([policy?.file].compactMap { $0 })
    if let html { try OutputFile.writeOrFail(TrayPage(tray).bytes(), to: html, sources: sources) }
    if let sheet { try OutputFile.writeOrFail(TraySheet(tray).png(by: engine), to: sheet, sources: sources) }
    var unwritten: [Unwritten] = []
    // A page or an image that was asked for alone is all the answer.
    if html == nil && sheet == nil || output != nil || running.json || running.table {
      unwritten = try write(tray, thumbnails: folder, sources: sources)
    } else {
      Diagnostics.note(TrayTable.summary(tray.tray))
    }
    if Diagnostics.namesFailures {
      for failed in tray.failures { Diagnostics.fail(failed.path, failed.failure) }
    }
    for thumbnail in unwritten { Diagnostics.fail(thumbnail.path, thumbnail.failure) }
    for path in tray.missing { Diagnostics.note("\(DisplayText.visible(path)) does not exist") }
    for (name, reasons) in tray.refused {
      for reason in reasons { Diagnostics.note(DisplayText.visible(RefusalSentence.text(reason, name: name))) }
    }
    if !tray.refused.isEmpty { throw ExitCode(ExitStatus.refused.rawValue) }
    try tray.damaged.end()
    if !tray.missing.isEmpty || !unwritten.isEmpty { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// The rendition for the grid, and a PNG of it for the sheet.
  private var requests: [RenditionRequest] {
    guard let grid = RenditionRequest.named("grid") else { return [] }
    var png = grid
    png.name = TraySheet.rendition
    png.format = .png
    return sheet == nil ? [grid] : [grid, png]
  }

  /// A thumbnail that cannot be written, because something other than a file has its name.
  private typealias Unwritten = (path: PathBytes, failure: MediaFailure)

  /// Writes the result to standard output, after the thumbnails if they have a folder. A thumbnail that cannot be written is a data URL in the JSON.
  private func write(
    _ tray: FolderTray, thumbnails folder: OutputFolder?, sources: Set<FileIdentity>
  ) throws -> [Unwritten] {
    var record = TrayRecord(folder: tray)
    var unwritten: [Unwritten] = []
    if let folder {
      for (number, item) in tray.tray.items.enumerated() {
        guard let rendition = tray.rendition("grid", of: item.id) else { continue }
        // Named by position, because names of files are untrusted.
        let name = "\(number + 1).grid.\(rendition.type.preferredExtension ?? "bin")"
        guard !folder.holds(name, anyOf: sources) else {
          let path = DisplayText.visible(folder.path.appending(name.utf8))
          throw Fault(.software, "cannot write \(path): it would replace its source file; name another folder")
        }
        switch try folder.write(rendition.data, to: name) {
        case .success(let file): record.files[item.id] = file
        case .failure(let failure): unwritten.append((folder.path.appending(name.utf8), failure))
        }
      }
    }
    let writer = ResultWriter()
    do {
      guard running.showsTable else {
        try writer.write(line: JSONLine.text(record))
        return unwritten
      }
      let table = Table(columns: TrayTable.columns)
      try writer.write(line: table.heading)
      for row in TrayTable.rows(tray) { try writer.write(lines: table.lines(row)) }
      Diagnostics.note(TrayTable.summary(tray.tray))
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
    return unwritten
  }
}
