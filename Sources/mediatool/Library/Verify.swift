internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// `mediatool verify`: verifies and repairs a library.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a library for damage, and repair it.",
    discussion: """
      Checks the digest of every stored file, every row and the schema of the catalogue (the library's database), and whether the \
      catalogue and the files agree. Prints one JSON object per problem, with a code. May run while a scan writes. Without --repair and \
      --rebuild nothing is changed. --repair restores damaged and missing files from --copy; thumbnails without an intact copy are made \
      again by the next scan. A file whose row is damaged keeps title, caption and owner, and gets its facts from --copy or from the \
      next scan. Originals outside the library are never changed. Damaged files that --copy does not replace, and drafts that cannot be read, are moved to the folder `damaged` of the library; \
      thumbnails that belong to no file (orphans) to `orphans`, from where they are moved back when a file needs them. --repair deletes \
      orphans 30 days after they were moved: those of the library first, those of the copy in a later run.

      If the catalogue is damaged or missing, --rebuild makes a new one from the source with the most data: what can be read of the old catalogue, or a snapshot \
      in --copy. Sources are compared by their titles, captions, collections, owners, moments and trips, which no scan can restore, then by \
      their files. An old catalogue with damaged pages is copied as far as it can be read; what is on these pages comes from the snapshots, the latest first. If there \
      is no source, the new catalogue is empty. The originals that the library stores are then added. \
      The new catalogue is checked before it replaces the old one, which is kept as catalogue.sqlite.damaged-1 (-2 the next time). \
      The command fails, or asks on a terminal, if data may be lost: files, captions, collections, moments or trips; titles or captions on damaged \
      pages that are newer than the snapshots; a newer snapshot; or changes since the snapshot, if the old catalogue cannot be read. --yes accepts \
      the loss. Scan the folders afterwards.

      --part reads a large library in several runs, for example one each night: each compares the next files with their digests. A pass is complete when every stored file was compared. --part checks neither the catalogue nor drafts, and repairs nothing. If the library has a copy, each run of the pass needs --copy.

      With --copy, --repair and --rebuild end by writing a snapshot of the catalogue to the copy, unless problems remain, as does a scan \
      that changed something. The three latest snapshots are kept, and any older one that cannot be read, or has more files, titles, captions, collections, owners, moments, trips or decisions than every later one. A copy that is missing or empty, for example because its \
      disk is not mounted, is an error; --adopt-copy starts a new one.

      EXAMPLES
        mediatool verify
        mediatool verify --library /var/lib/media --copy /mnt/second --repair
        mediatool verify --copy /mnt/new --adopt-copy --repair
        mediatool verify --copy /mnt/second --part 50000000000
        mediatool verify --rebuild --copy /mnt/second && mediatool scan ~/Photos

      EXIT STATUS
        0    no problem was found, or all were repaired
        1    problems remain
        64   the command line is invalid, there is no library, --copy is not the
             copy of this library, or --rebuild would lose data and --yes was not
             given
        70   the library cannot be read or written
      """)

  @OptionGroup var libraryOptions: LibraryOptions

  @OptionGroup var second: CopyOptions<CopyForVerify>

  @Flag(help: "Repair what can be repaired, in the library and in the copy. Fails while a scan is running.")
  var repair = false

  @Flag(help: "Make a new catalogue, then repair what can be repaired. The old catalogue is kept.")
  var rebuild = false

  @Flag(help: "Rebuild even if data of the old catalogue may be lost.")
  var yes = false

  @Option(
    help: ArgumentHelp(
      "Check about this many bytes of stored files; the next run with --part continues.", valueName: "bytes"),
    transform: Number.parser(1...Number.maxLibraryBytes))
  var part: Int?

  @OptionGroup var verbosity: VerbosityOptions<VerbosityOfLibrary>

  func validate() throws {
    if part != nil, repair || rebuild {
      throw ValidationError("--part cannot be combined with --repair and --rebuild.")
    }
    if yes, !rebuild { throw ValidationError("--yes needs --rebuild.") }
  }

  /// A problem in JSON.
  private struct Record: Encodable {
    let code: String
    let detail: String
  }

  func run() throws {
    let location = try libraryOptions.location()
    try LibraryOptions.run {
      let writer = ResultWriter()
      var failure: (any Error)?
      let write: (Library.VerificationReport.Problem) -> Void = { problem in
        guard failure == nil else { return }
        do {
          try writer.write(line: JSONLine.text(Record(code: problem.code, detail: problem.detail)))
        } catch {
          failure = error
        }
      }
      let (library, report) = try verify(location, write)
      if let origin = report.rebuildOrigin { Diagnostics.note(DisplayText.visible("the new catalogue is \(origin)")) }
      if let failure { throw failure }
      let problems = report.problems.values.reduce(0, +)
      // A damaged library is not backed up.
      if library.access == .writing, second.copy != nil, problems == report.repaired { Self.say(try library.backUp()) }
      if report.unclaimed > 0 {
        Diagnostics.note(
          "left in place: \(ScanSummary.count(report.unclaimed, "thumbnail")) without a file; scan the folders, then run `mediatool verify --repair`"
        )
      }
      if report.unsettled > 0 {
        Diagnostics.say(
          "another process is writing to the library: \(ScanSummary.count(report.unsettled, "new file")) not checked; verify again when it has ended"
        )
      }
      Diagnostics.note(
        "\(ScanSummary.count(report.checked, "file")) compared, \(ScanSummary.count(problems, "problem"))"
          + (library.access == .writing ? ", \(report.repaired) repaired" : ""))
      if let pass = report.pass { Self.say(pass) }
      if problems > report.repaired { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }
  }

  private func verify(
    _ location: LibraryLocation, _ found: (Library.VerificationReport.Problem) -> Void
  ) throws(LibraryError) -> (library: Library, report: Library.VerificationReport) {
    if rebuild {
      return try Library.rebuild(at: location, options: second.options, accepting: { yes || Self.ask($0) }, found)
    }
    var options = second.options
    options.opensDamaged = true
    let library = try Library.open(at: location, for: repair ? .writing : .reading, options: options)
    if let part { return (library, try library.verify(atMost: part, at: Int(Date().timeIntervalSince1970), found)) }
    return (library, try repair ? library.repair(found) : library.verify(found))
  }
}

extension Verify {
  /// Asks for confirmation on a terminal; false without one.
  fileprivate static func ask(_ plan: Library.RebuildPlan) -> Bool {
    guard Terminal.isTerminal(0), Terminal.isTerminal(2) else { return false }
    Diagnostics.say(DisplayText.visible("\(plan)"))
    Diagnostics.write("Rebuild anyway? The old catalogue is kept. [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Reports how far a verification in parts is.
  fileprivate static func say(_ pass: Library.VerificationReport.Pass) {
    let total = "\(ScanSummary.count(pass.checked, "file")) compared, \(ScanSummary.count(pass.problems, "problem"))"
    let missing = pass.lacksCopy ? "; the copy was not compared: name it with --copy in every run of a pass" : ""
    switch pass.ended {
    case nil: Diagnostics.note("\(total) in this pass\(missing); run it again to continue")
    case _ where pass.isComplete: Diagnostics.note("\(total) in this pass, which is complete")
    case _: Diagnostics.say("\(total) in this pass, which is not complete\(missing)")
    }
  }

  /// Reports an earlier snapshot that holds more than the new one.
  fileprivate static func say(_ snapshot: Library.SnapshotReport) {
    guard let fuller = snapshot.fuller else { return }
    // A rebuild takes what people wrote; files come back with a scan.
    let way =
      fuller.contents.isFuller(than: snapshot.contents)
      ? "run `mediatool verify --rebuild --copy \(DisplayText.visible("\(fuller.path.folder)"))`, which makes a new catalogue from it"
      : "scan the folders of the missing files"
    Diagnostics.say(
      """
      the snapshot \(DisplayText.visible("\(fuller.path)")) contains more than the catalogue and is kept: \(fuller.contents); the \
      catalogue has \(snapshot.contents). If the missing data was not erased on purpose, \(way)
      """)
  }
}

extension Library.VerificationReport.Problem {
  /// Details for the table.
  fileprivate var detail: String {
    switch self {
    case .catalogue(let detail), .derived(let detail), .schema(let detail), .damagedRow(_, let detail): detail
    case .missingRendition(let address, let side), .damagedRendition(let address, let side),
      .orphanRendition(let address, let side):
      "\(address) in the \(side.rawValue)"
    case .missingOriginal(let path, let side), .damagedOriginal(let path, let side),
      .orphanOriginal(let path, let side):
      "\(path) in the \(side.rawValue)"
    case .leftover(let path), .damagedDraft(let path): path.description
    }
  }
}
