internal import Logging
internal import MediaEngine

/// Records the messages of a logger.
final class MemoryLog: LogHandler, @unchecked Sendable {
  /// One message with its metadata.
  struct Line: Sendable {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
  }

  private let reported = Locked<[Line]>([])

  // Set by nobody here: one object serves every copy of a logger, which is what makes the class Sendable.
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .trace

  var lines: [Line] { reported.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { [self] _ in self } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    reported.withLock {
      $0.append(Line(level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:]))
    }
  }
}
