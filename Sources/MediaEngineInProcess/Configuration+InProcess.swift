public import MediaEngine

extension MediaEngine.Kind {
  /// Decodes in this process, on this many threads; nil, the default, uses one per core.
  ///
  /// A file that crashes a decoder ends the process. Use it for tests, for trusted files, and in disposable processes.
  public static func inProcess(threads: Int? = nil) -> Self { .inProcess(InProcessExecutor(), threads: threads) }
}
