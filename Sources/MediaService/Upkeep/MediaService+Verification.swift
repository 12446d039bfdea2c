internal import Logging
internal import MediaLibrary
internal import Metrics

extension MediaService {
  /// Parts into which a pass over all stored files is divided: one a day, so that each file is read at least once a year.
  private static let partsOfPass = 365
  /// The least bytes of a part, so that a small library is read more often.
  private static let minPartBytes = 64 << 20
  /// Problems of a part that are logged; the metrics count all.
  private static let maxLoggedProblems = 100

  /// Compares the next stored originals and renditions with their digests, also those of the copy (R-MYM-22): once a day, on a thread of its own. Problems are
  /// logged and counted; `mediatool verify --repair` repairs them. Call it once a minute; ``run()`` does.
  func sweepVerification() async {
    let (library, time, logger) = (library.library, now(), logger)
    let metrics = VerificationMetrics(configuration.metrics ?? MetricsSystem.factory)
    await runIfDue(.verification) { isStopped in
      let bytes = max(Self.minPartBytes, try library.bytesOfPass() / Self.partsOfPass + 1)
      var logged = 0
      // As a scan does, uploads store files before they record them.
      let report = try library.whileScanning {
        try library.verify(
          atMost: bytes, at: time,
          { problem in
            metrics.count(problem)
            // An upload that is examined right now may look like an orphan, which is no damage.
            if problem.isOrphan { return }
            logged += 1
            guard logged <= Self.maxLoggedProblems else { return }
            logger.error("a stored file is damaged or missing", metadata: ["problem": "\(problem)"])
          }, until: isStopped)
      }
      metrics.note(report)
      if let pass = report.pass, pass.ended != nil {
        logger.notice(
          "all stored files were compared with their digests",
          metadata: [
            "files": "\(pass.checked)", "problems": "\(pass.problems)", "started": "\(pass.started)",
            "isComplete": "\(pass.isComplete)",
          ])
      }
    }
  }
}

/// The metrics of the verification; docs/security.md lists the names.
private struct VerificationMetrics: Sendable {
  let factory: any MetricsFactory

  init(_ factory: any MetricsFactory) { self.factory = factory }

  /// Counts a problem that was found.
  func count(_ problem: Library.VerificationReport.Problem) {
    Counter(
      label: "mediatool_verification_problems_total", dimensions: [("problem", problem.code)], factory: factory
    ).increment()
  }

  /// Counts the files of a part, and notes when all files were compared last.
  func note(_ report: Library.VerificationReport) {
    Counter(label: "mediatool_verified_files_total", dimensions: [], factory: factory).increment(by: report.checked)
    guard let pass = report.pass, pass.isComplete, let ended = pass.ended else { return }
    Gauge(label: "mediatool_verification_complete_timestamp_seconds", dimensions: [], factory: factory).record(ended)
  }
}

extension Library.VerificationReport.Problem {
  fileprivate var isOrphan: Bool {
    switch self {
    case .orphanRendition, .orphanOriginal: true
    default: false
    }
  }
}
