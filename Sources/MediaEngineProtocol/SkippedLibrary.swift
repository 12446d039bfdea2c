/// A library that libvips or FFmpeg asks for and that workers do not load.
package struct SkippedLibrary: Hashable, Codable, Sendable {
  /// The name that the dynamic linker looks for, such as `libdrm.so.2`.
  package let name: String
  /// Whether no worker loads it. Otherwise workers that load all libraries do.
  package let byAllWorkers: Bool

  package init(name: String, byAllWorkers: Bool) {
    self.name = name
    self.byAllWorkers = byAllWorkers
  }
}
