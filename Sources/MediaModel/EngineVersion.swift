/// A media library that is linked in, and its version at run time.
package struct EngineVersion: Hashable, Codable, Sendable {
  /// The name that the library uses for itself.
  package let name: String
  /// The version in the library's own notation.
  package let version: String

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
