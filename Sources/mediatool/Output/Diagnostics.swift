internal import Glibc

/// What is said beside the results: on standard error, after the command's name.
enum Diagnostics {
  /// Says one line. Foreign text in it has to be made visible before.
  static func say(_ line: String) { write("mediatool: \(line)\n") }

  /// Writes a line of a terminal over the one before; empty, it takes it away.
  static func replaceLine(with text: String = "") { write("\r\u{1B}[K\(text)") }

  /// Whether a line would go now: it waits where somebody has stopped the terminal with Ctrl-S.
  static var isReady: Bool {
    var waiting = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// Writes as it is. Nobody can be told that standard error is closed.
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
