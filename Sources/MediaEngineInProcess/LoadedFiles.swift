internal import CDeferredLibraries
internal import Glibc

extension InProcessExecutor {
  /// The paths of this program and of the shared objects that it has loaded, sorted. Placeholders of skipped libraries have no file.
  static var loadedFiles: [String] {
    var paths: Set<String> = []
    if let program = realpath("/proc/self/exe", nil) {
      paths.insert(String(cString: program))
      free(program)
    }
    withUnsafeMutablePointer(to: &paths) { paths in
      mediatool_list_loaded_libraries(
        { path, paths in
          guard let path, let paths else { return }
          paths.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(cString: path))
        }, paths)
    }
    return paths.filter { !$0.hasPrefix("/proc/") }.sorted()
  }
}
