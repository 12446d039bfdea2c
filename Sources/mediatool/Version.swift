internal import MediaProbe
internal import Thumbnails

/// What is running here.
enum Version {
  /// The project's own version (semver.org).
  static let project = "0.1.0"

  /// The libraries that do the work.
  static var engines: [EngineVersion] { Thumbnailer.engineVersions + MediaProber.engineVersions }

  /// The answer to `--version`.
  static var line: String {
    "mediatool \(project) (" + engines.map { "\($0.name) \($0.version)" }.joined(separator: ", ") + ")"
  }
}
