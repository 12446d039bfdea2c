/// A library that does the work, and the version that was found at run time.
public struct EngineVersion: Hashable, Codable, Sendable {
  /// The library's own name.
  public let name: String
  /// The version as its maker writes it.
  public let version: String

  /// That library in that version.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
