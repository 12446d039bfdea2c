/// What can be done with a format on this machine.
package struct FormatSupport: Hashable, Codable, Sendable {
  /// The format's usual name.
  package let name: String
  /// Whether files in it are understood.
  package let reads: Bool

  /// That format, understood or not.
  package init(name: String, reads: Bool) {
    self.name = name
    self.reads = reads
  }
}
