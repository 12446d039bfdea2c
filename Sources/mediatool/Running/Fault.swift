internal import MediaModel

/// What ends the whole run, not one file's share of it.
struct Fault: Error {
  let status: ExitStatus
  /// One line for standard error.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension MediaFailure {
  /// Ends the run when the failure is not the file's: no other one could be decoded either.
  func throwIfOurs() throws(Fault) {
    guard code == .unavailable || code == .busy else { return }
    throw Fault(.software, detail.map { "\(message) \($0)" } ?? message)
  }
}
