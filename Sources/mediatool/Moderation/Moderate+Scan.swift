internal import ArgumentParser
internal import Foundation
internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary

/// `mediatool moderate scan`.
extension Moderate {
  /// Scans content with clamd, prints what was found, and fails unless all of it is clean.
  func scan() throws {
    let given = ProcessInfo.processInfo.environment["MEDIATOOL_CLAMD"].flatMap { $0.isEmpty ? nil : $0 }
    guard let address = try clamd ?? given.map(ClamdArgument.parse) else {
      throw Fault(.usage, "scan needs the address of a clamd: name it with --clamd or MEDIATOOL_CLAMD")
    }
    let stop = try StopSignal.make()
    stop.watchSignals()
    var configuration = ClamdScanner.Configuration(address.value)
    if let clamdMaxBytes { configuration.maxBytes = clamdMaxBytes }
    let library = try libraryOptions.open(for: .writing)
    let run = ContentScanRun(library: library, scanner: ClamdScanner(configuration), jobs: configuration.jobs)
    try LibraryOptions.run {
      let output = ScannedOutput(library: library, showsTable: listing.showsTable)
      try output.begin()
      let all = all
      let result = Waiting.result(stop: stop) { () async -> Result<ContentScanRun.Totals, any Error> in
        do { return .success(try await run.run(all: all, found: { try output.write($0) })) } catch {
          return .failure(error)
        }
      }
      try library.close()
      let totals = try result.get()
      Diagnostics.note("\(totals)")
      if stop.signal != nil { throw ExitCode(ExitStatus.interrupted.rawValue) }
      if totals.isAway { throw Fault(.software, "clamd does not answer at \(address.value); run the command again") }
      if !totals.isClean { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }
  }
}
