/// The version of the program.
enum Version {
  /// The project's version (semver.org).
  static let project = "0.1.0"

  /// The output of `--version`. `doctor` lists the libraries, which only a worker knows.
  static let line = "mediatool \(project)"
}
