internal import Logging

/// Writes each log message as one line to standard error, whatever its values are: a client chooses some of them, and none ends the line or passes for
/// another field.
struct LineLogHandler: LogHandler {
  private var lines: StreamLogHandler
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(label: String, level: Logger.Level) {
    self.init(StreamLogHandler.standardError(label: label, metadataProvider: nil), level: level)
  }

  /// - Parameter lines: Writes the lines; it adds no metadata of its own.
  init(_ lines: StreamLogHandler, level: Logger.Level) {
    self.lines = lines
    self.lines.logLevel = level
  }

  var logLevel: Logger.Level {
    get { lines.logLevel }
    set { lines.logLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var values = metadata
    if let provided = metadataProvider?.get() { values.merge(provided) { $1 } }
    if let own = event.metadata { values.merge(own) { $1 } }
    if let error = event.error {
      values["error.message"] = "\(error)"
      values["error.type"] = "\(String(reflecting: type(of: error)))"
    }
    var line = event
    line.error = nil
    line.message = "\(Self.escaped(event.message.description))"
    line.metadata = values.mapValues { .string(Self.quoted($0.description)) }
    lines.log(event: line)
  }

  /// A value as it is, or between quotation marks if its end could not be seen otherwise.
  static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { !isSeparator($0) && !isInvisible($0) }
    if isPlain { return value }
    let text = value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped(text))\""
  }

  /// A text with its line ends, control and formatting characters as escapes of Swift.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isInvisible) else { return text }
    return text.unicodeScalars.map { isInvisible($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "=" || scalar == "\"" || scalar.properties.generalCategory == .spaceSeparator
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    // Nearly every character of a log.
    if (0x20..<0x7F).contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
