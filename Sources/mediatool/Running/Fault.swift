internal import FileSupport
internal import MediaModel

/// A failure that ends the whole run.
struct Fault: Error {
  let status: ExitStatus
  /// One line for standard error.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The failure to write a file whose result the run cannot do without.
  init(_ error: FileError, writing path: PathBytes) {
    self.init(.software, "cannot write \(DisplayText.visible(path)): \(error.reason)")
  }
}

extension MediaFailure {
  /// Throws if the failure is the engine's, so that no other file could be decoded either.
  func throwIfOurs() throws(Fault) {
    guard code == .unavailable || code == .busy else { return }
    throw Fault(.software, detail.map { "\(message) \($0)" } ?? message)
  }
}
