internal import CDeferredLibraries
internal import MediaEngineProtocol

extension InProcessExecutor {
  /// The libraries that this process skipped when it loaded libvips and FFmpeg, and those that workers which load less also skip; by name.
  static var skippedLibraries: [SkippedLibrary] {
    var libraries: [SkippedLibrary] = []
    var isAlways = false
    while let name = mediatool_skipped_library(libraries.count, &isAlways) {
      libraries.append(SkippedLibrary(name: String(cString: name), byAllWorkers: isAlways))
    }
    return libraries.sorted { $0.name < $1.name }
  }
}
