public import MediaEngine

extension MediaEngine.Kind {
  /// Decoders in this process, on so many threads; nil for one a core. A file that crashes one ends the process: for tests, for
  /// files that are known, and for processes that nobody would miss.
  public static func inProcess(threads: Int? = nil) -> Self { .inProcess(InProcessExecutor(), threads: threads) }
}
