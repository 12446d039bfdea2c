internal import MediaEngine
internal import MediaEngineProtocol

/// What is running here.
enum Version {
  /// The project's own version (semver.org).
  static let project = "0.1.0"

  /// The answer to `--version`: the libraries that do the work too.
  static func line(_ engine: MediaEngine) -> String { "mediatool \(project) (\(engine.description.version))" }
}
