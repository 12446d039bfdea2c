internal import ArgumentParser
internal import MediaLibrary

/// Files that a listing skips because their rows in the catalogue are damaged. Each is reported on standard error.
struct DamagedRows {
  private(set) var count = 0

  /// Reports a file whose row cannot be decoded.
  mutating func note(_ file: FileID) { note("file \(file.rawValue)") }

  /// Returns what `body` returns; nil if it fails because stored facts are damaged, which is reported.
  mutating func unlessDamaged<Value>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value? {
    do throws(LibraryError) { return try body() } catch {
      guard error.code == .corrupt else { throw error }
      note(error.detail ?? error.message)
      return nil
    }
  }

  private mutating func note(_ what: String) {
    count += 1
    // A listing of a damaged catalogue is not to bury the terminal.
    if count <= 10 { Diagnostics.note("skipped a damaged row of the catalogue: \(DisplayText.visible(what))") }
  }

  /// Adds those of another listing.
  static func += (rows: inout DamagedRows, others: DamagedRows) { rows.count += others.count }

  /// Ends the run with status 1 if there were any.
  func end() throws {
    guard count > 0 else { return }
    Diagnostics.note(
      "skipped \(ScanSummary.count(count, "damaged row")); repair with `mediatool verify --repair`, then scan the folders"
    )
    throw ExitCode(ExitStatus.someFailed.rawValue)
  }
}
