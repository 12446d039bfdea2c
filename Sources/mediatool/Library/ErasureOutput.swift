internal import ArgumentParser
internal import MediaLibrary

/// Reports an erasure: its numbers on standard output, and on standard error what may still have erased data, with the way out.
struct ErasureOutput {
  /// The library from which was erased.
  let location: LibraryLocation

  /// Prints the numbers.
  func write(_ report: ErasureRequest.Report) throws {
    try ResultWriter().write(line: JSONLine.text(report))
  }

  /// Advises what to do about remaining traces.
  /// - Returns: Whether there are any, as an exit status.
  func status(of report: ErasureRequest.Report) -> ExitStatus {
    for sentence in report.remains(in: location) { Diagnostics.say(DisplayText.visible(sentence)) }
    return report.notWiped == nil && report.notErased.isEmpty ? .done : .someFailed
  }

  /// Advises what to do about remaining traces.
  /// - Throws: The exit status 1 if there are any.
  func finish(_ report: ErasureRequest.Report) throws {
    let status = status(of: report)
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
