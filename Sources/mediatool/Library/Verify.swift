internal import ArgumentParser
internal import FileSupport
internal import MediaLibrary

/// `mediatool verify`: is a library whole?
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a library for damage, and repair it.",
    discussion: """
      Compares every stored file with its digest, and the catalogue with the files. Prints one JSON object per problem, with a code. \
      --repair restores damaged and missing files from --copy; a rendition without an intact copy is removed, and the next scan makes \
      it again. Originals outside of the library are never changed.

      If the catalogue is damaged or missing, --rebuild replaces it with the one in --copy, or else with an empty one, and keeps the \
      stored files. Scan the folders afterwards.

      EXAMPLES
        mediatool verify
        mediatool verify --library /var/lib/media --copy /mnt/second --repair
        mediatool verify --rebuild && mediatool scan ~/Photos

      EXIT STATUS
        0    no problem was found, or all were repaired
        1    problems remain
        64   the command line is invalid, or there is no library
        70   the library cannot be read or written
      """)

  @OptionGroup var libraryOptions: LibraryOptions

  @OptionGroup var second: CopyOptions

  @Flag(help: "Repair what can be repaired, in the copy too. No scan may run meanwhile.")
  var repair = false

  @Flag(help: "Replace the catalogue, then repair what can be repaired.")
  var rebuild = false

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
      let tell: (LibraryProblem) -> Void = { problem in
        guard failure == nil else { return }
        do {
          try writer.write(line: JSONLine.text(Record(code: problem.code, detail: problem.detail)))
        } catch {
          failure = error
        }
      }
      let (library, report) = try verify(location, tell)
      if let failure { throw failure }
      let problems = report.problems.values.reduce(0, +)
      // What is not whole is no copy of anything.
      if library.access == .writing, second.copy != nil, problems == report.repaired { try library.backUp() }
      Diagnostics.say(
        "\(ScanSummary.count(report.checked, "file")) compared, \(ScanSummary.count(problems, "problem"))"
          + (library.access == .writing ? ", \(report.repaired) repaired" : ""))
      if problems > report.repaired { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }
  }

  private func verify(
    _ location: LibraryLocation, _ found: (LibraryProblem) -> Void
  ) throws(LibraryError) -> (library: Library, report: VerificationReport) {
    if rebuild { return try Library.rebuild(at: location, options: second.options, found) }
    let library = try Library.open(at: location, for: repair ? .writing : .reading, options: second.options)
    return (library, try repair ? library.repair(found) : library.verify(found))
  }
}

extension LibraryProblem {
  /// What it is about, for people.
  fileprivate var detail: String {
    switch self {
    case .catalogue(let detail), .derived(let detail): detail
    case .missingRendition(let address, let side), .damagedRendition(let address, let side),
      .orphanRendition(let address, let side):
      "\(address) in the \(side.rawValue)"
    case .missingOriginal(let path, let side), .damagedOriginal(let path, let side),
      .orphanOriginal(let path, let side):
      "\(path) in the \(side.rawValue)"
    case .leftover(let path): path.description
    }
  }
}
