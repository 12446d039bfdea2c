internal import Glibc

/// Messages on standard error, after the command's name.
enum Diagnostics {
  /// Prints one line. Untrusted text in it must have been made visible.
  static func say(_ line: String) { write("mediatool: \(line)\n") }

  /// Replaces the current line of a terminal; an empty text clears it.
  static func replaceLine(with text: String = "") { write("\r\u{1B}[K\(text)") }

  /// Whether a line can be written without blocking; false while the user has stopped the terminal with Ctrl-S.
  static var isReady: Bool {
    var waiting = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// Writes text unchanged. Errors are ignored, because they cannot be reported if standard error is closed.
  static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
