/// Whether this machine can read a format.
package struct FormatSupport: Hashable, Codable, Sendable {
  /// The common name of the format.
  package let name: String
  /// Whether files in the format can be probed.
  package let reads: Bool

  package init(name: String, reads: Bool) {
    self.name = name
    self.reads = reads
  }
}
