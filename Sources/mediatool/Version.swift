internal import MediaEngine
internal import MediaEngineProtocol

/// The version of the program.
enum Version {
  /// The project's version (semver.org).
  static let project = "0.1.0"

  /// The output of `--version`, with the versions of the libraries.
  static func line(_ engine: MediaEngine) -> String { "mediatool \(project) (\(engine.description.version))" }
}
