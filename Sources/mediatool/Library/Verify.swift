internal import ArgumentParser
internal import MediaLibrary

/// `mediatool verify`: is a library whole?
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare every byte of a library with its digest, and what belongs together with one another.",
    discussion: """
      A line a problem, each with a code. --repair puts right what can be: from --copy, where there is one; a picture that is \
      nowhere whole is removed, and the next scan makes it again. Originals are never touched where they lie outside the library.

      EXAMPLES
        mediatool verify
        mediatool verify --library /var/lib/media --copy /mnt/second --repair

      EXIT STATUS
        0    all is as it should be, or was put right
        1    there are problems
        64   the command line is wrong, or there is no library
        70   the library cannot be read or written
      """)

  @OptionGroup var place: LibraryOptions

  @Option(
    help: ArgumentHelp("A folder with a second copy of what the library keeps.", valueName: "dir"),
    completion: .directory)
  var copy: RawPath?

  @Flag(help: "Put right what can be. Nobody may scan meanwhile.")
  var repair = false

  /// A problem in JSON.
  private struct Record: Encodable {
    let code: String
    let detail: String
  }

  func run() throws {
    var options = Library.Options()
    options.copy = copy.map { PathBytes($0.bytes) }
    let location = try place.location()
    try LibraryOptions.run {
      let library = try Library.open(at: location, for: repair ? .writing : .reading, options: options)
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
      let report = try repair ? library.repair(tell) : library.verify(tell)
      if let failure { throw failure }
      let problems = report.problems.values.reduce(0, +)
      Diagnostics.say(
        "\(ScanSummary.count(report.checked, "file")) compared, \(ScanSummary.count(problems, "problem"))"
          + (repair ? ", \(report.repaired) put right" : ""))
      if problems > report.repaired { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }
  }
}

extension LibraryProblem {
  /// What it is about, for people.
  fileprivate var detail: String {
    switch self {
    case .catalogue(let detail), .derived(let detail): detail
    case .missingRendition(let address, let place), .damagedRendition(let address, let place),
      .orphanRendition(let address, let place):
      "\(address) in the \(place.rawValue)"
    case .missingOriginal(let path, let place), .damagedOriginal(let path, let place),
      .orphanOriginal(let path, let place):
      "\(path) in the \(place.rawValue)"
    case .leftover(let path): path.description
    }
  }
}
