package import MediaModel

/// What an engine is made of.
package struct EngineDescription: Hashable, Codable, Sendable {
  /// The libraries that do the work.
  package var engines: [EngineVersion]
  /// The image formats, by whether they are understood.
  package var images: [FormatSupport]
  /// The containers of video and audio, by whether they are understood.
  package var containers: [FormatSupport]

  /// Those libraries and formats.
  package init(engines: [EngineVersion], images: [FormatSupport], containers: [FormatSupport]) {
    self.engines = engines
    self.images = images
    self.containers = containers
  }

  /// The versions of all libraries in one line: results may change when it does, and a stored failure is worth another try.
  package var version: String { engines.map { "\($0.name) \($0.version)" }.joined(separator: ", ") }
}
