internal import CDeferredLibraries
internal import Synchronization

extension InProcessExecutor {
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
