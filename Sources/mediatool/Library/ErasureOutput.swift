internal import ArgumentParser
internal import FileSupport
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
  /// - Throws: The exit status 1 if there are any.
  func finish(_ report: ErasureRequest.Report) throws {
    for path in report.notErased { Diagnostics.say(advice(PathBytes(path))) }
    switch report.notWiped {
    case .reader?:
      Diagnostics.say(
        "another process is reading the library, so traces of the erased data remain in its files; after that process has ended, the next scan or erase removes them"
      )
    case .diskFull?:
      Diagnostics.say(
        "the disk is too full to rewrite the catalogue; free some space, and the next scan or erase removes the remaining traces"
      )
    case nil: break
    }
    if report.notWiped != nil || !report.notErased.isEmpty { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// What to do about a file that may still contain erased data.
  private func advice(_ path: PathBytes) -> String {
    if "\(path)" == ErasureRequest.Report.copy {
      return "the library has a copy, which may still contain erased data; name it with --copy at every erase"
    }
    let name = DisplayText.visible("\(path)")
    guard path.isInside(location.drafts) else { return "\(name) may still contain erased data; remove this file" }
    return """
      the draft \(name) cannot be read and may still contain erased data; remove this file, or run `mediatool verify --repair`, which \
      moves a damaged draft to the folder `damaged`, from where the next erase removes it
      """
  }
}
