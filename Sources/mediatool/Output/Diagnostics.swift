internal import FileSupport
internal import Glibc
internal import MediaModel
internal import Synchronization

/// Messages on standard error, after the command's name.
enum Diagnostics {
  /// How much is printed.
  enum Level: Int {
    /// Only what ends the run.
    case quiet
    case usual
    /// Also details of failures, and how the run went.
    case verbose
  }

  private static let current = Atomic<Int>(Level.usual.rawValue)

  static var level: Level {
    get { Level(rawValue: current.load(ordering: .relaxed)) ?? .usual }
    set { current.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Prints one line, even with --quiet: what ends the run. Untrusted text in it must have been made visible.
  static func say(_ line: String) { write("mediatool: \(line)\n") }

  /// Prints counts, warnings and what was skipped; nothing with --quiet.
  static func note(_ line: String) { if level != .quiet { say(line) } }

  /// Prints an explanation, with --verbose.
  static func explain(_ line: @autoclosure () -> String) { if level == .verbose { say(line()) } }

  /// Prints which file failed and why; nothing with --quiet. --verbose adds the decoder's own message.
  static func fail(_ path: PathBytes, _ failure: MediaFailure) {
    guard level != .quiet else { return }
    let detail = level == .verbose ? failure.detail.map { " (\(DisplayText.visible($0)))" } ?? "" : ""
    let path = RemoteName.shown(path)
    say("\(DisplayText.visible(path)): \(failure.code.rawValue): \(DisplayText.visible(failure.message))\(detail)")
  }

  /// Whether failures are printed here too, because the results go to a pipe or a file and are not seen.
  static var namesFailures: Bool { !Terminal.isTerminal(STDOUT_FILENO) }

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
