internal import Logging
internal import Synchronization

/// Keeps what is logged.
final class LogLines: Sendable {
  private let kept = Mutex<[Logger.Metadata]>([])

  /// The metadata of the lines so far.
  var lines: [Logger.Metadata] { kept.withLock { $0 } }

  /// A logger whose lines are kept here.
  var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.kept.withLock { $0.append(metadata.merging(event.metadata ?? [:]) { $1 }) }
    }
  }
}
