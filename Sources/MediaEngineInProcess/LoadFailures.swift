internal import CDeferredLibraries
package import MediaEngineProtocol
internal import Synchronization

extension InProcessExecutor {
  /// From now on does not load libraries that libvips and FFmpeg ask for and that no decoder calls, nor those that few files need if not all were
  /// asked for; see docs/decisions/0027. For a process that does nothing else than decode. Call it before anything is loaded.
  package static func skipUnusedLibraries(for libraries: WorkerLibraries) {
    mediatool_skip_libraries(libraries != .all)
  }

  /// Calls this with the library that cannot be loaded and the reason, before the process ends for it. Set once, before anything is loaded.
  package static func reportLoadFailures(to report: @escaping @Sendable (String) -> Void) {
    LoadFailures.report.withLock { $0 = report }
    mediatool_report_load_failure { what in
      guard let what, let report = LoadFailures.report.withLock({ $0 }) else { return }
      report(String(cString: what))
    }
  }
}

/// C functions have no context.
private enum LoadFailures {
  static let report = Mutex<(@Sendable (String) -> Void)?>(nil)
}
