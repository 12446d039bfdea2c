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
