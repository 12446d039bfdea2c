internal import ArgumentParser
internal import MessageStore

/// `mediatool messages --verify`: prints each problem of a message store.
struct StoreVerification {
  let store: MessageStore
  /// Whether a problem is a line of text, or else JSON.
  let showsTable: Bool

  /// A problem in JSON.
  private struct Record: Encodable {
    let code: String
    let detail: String
  }

  func run() throws {
    let writer = ResultWriter()
    let problems = try store.verify()
    for problem in problems {
      let record = Record(code: problem.code.rawValue, detail: problem.detail)
      try writer.write(
        line: showsTable ? DisplayText.visible("\(record.code): \(record.detail)") : JSONLine.text(record))
    }
    let omitted = store.notVerified.map(\.rawValue).joined(separator: ", ")
    Diagnostics.note(
      ScanSummary.count(problems.count, "problem") + (omitted.isEmpty ? "" : "; not checked: \(omitted)"))
    if !problems.isEmpty { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}
