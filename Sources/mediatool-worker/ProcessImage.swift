internal import Glibc

/// The program of this process.
enum ProcessImage {
  /// Runs it again from its beginning, with the same open files. Returns only if the system refuses.
  static func restart(arguments: [String]) {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &words)
    for word in words { free(word) }
  }
}
