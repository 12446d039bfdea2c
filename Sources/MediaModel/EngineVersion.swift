/// A library that does the work, and the version that was found at run time.
package struct EngineVersion: Hashable, Codable, Sendable {
  /// The library's own name.
  package let name: String
  /// The version as its maker writes it.
  package let version: String

  /// That library in that version.
  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
