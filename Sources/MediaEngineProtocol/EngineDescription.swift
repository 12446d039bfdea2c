package import MediaModel

/// The libraries of an engine, and the formats that they support.
package struct EngineDescription: Hashable, Codable, Sendable {
  /// The libraries with their versions.
  package var engines: [EngineVersion]
  /// The image formats, each with whether it is supported.
  package var images: [FormatSupport]
  /// The video and audio containers, each with whether it is supported.
  package var containers: [FormatSupport]
  /// The libraries that libvips or FFmpeg asks for and that workers do not load; none if the decoders are in the calling process.
  package var skippedLibraries: [SkippedLibrary]
  /// The paths of the program that has the decoders and of the shared objects that it has loaded, which decide the versions; sorted.
  package var files: [String]

  /// A description with these libraries and formats.
  package init(
    engines: [EngineVersion], images: [FormatSupport], containers: [FormatSupport],
    skippedLibraries: [SkippedLibrary] = [], files: [String] = []
  ) {
    self.engines = engines
    self.images = images
    self.containers = containers
    self.skippedLibraries = skippedLibraries
    self.files = files
  }

  /// The versions of all libraries in one line. When it changes, results may change, and stored failures are worth another try.
  package var version: String { engines.map { "\($0.name) \($0.version)" }.joined(separator: ", ") }
}
