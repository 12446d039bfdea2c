internal import FileSupport
internal import MediaEngineProtocol
internal import MediaModel

extension WorkerLibraries {
  /// What workers load at first. Guessed by the name of the first file: a wrong guess costs the start of another worker.
  /// - Parameter usual: What is enough for files of unknown names.
  static func guessed(by file: PathBytes?, unlessOthersAreNeeded usual: WorkerLibraries) -> WorkerLibraries {
    guard let name = file?.lastComponent, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return usual }
    let ending = String(decoding: name[(dot + 1)...], as: UTF8.self)
    guard let type = MediaType.types(forExtension: ending).first else { return usual }
    switch (usual, type.kind) {
    case (.facts, .video) where !ofMovies.contains(type), (.facts, .audio) where !ofMovies.contains(type):
      return .containers
    case (.images, .video): return .posters
    case (.images, _) where !ofImages.contains(type): return .all
    default: return usual
    }
  }
}
