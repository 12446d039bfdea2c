internal import Logging
internal import MediaEngineProtocol
internal import MediaModel
internal import Metrics
internal import Synchronization

/// What an engine tells metrics and logs. The names are in docs/security.md and the DocC page; dashboards depend on them.
final class EngineReport: Sendable {
  private let logger: Logger
  private let peak = Atomic<Int>(0)

  init(logger: Logger) { self.logger = logger }

  /// A helper has greeted.
  func started(_ layers: IsolationLayers) {
    Counter(label: "mediatool_helper_starts").increment()
    for layer in layers.named {
      Gauge(label: "mediatool_isolation_layer", dimensions: [("layer", layer.name)]).record(layer.isOn ? 1 : 0)
    }
    logger.debug(
      "helper is ready",
      metadata: ["layers": .string(layers.named.filter(\.isOn).map(\.name).joined(separator: " "))])
  }

  /// No helper can be had.
  func failedToStart(_ failure: HelperStartFailure) {
    Counter(label: "mediatool_helper_start_failures").increment()
    logger.error("no helper can be started", metadata: ["reason": .string(failure.reason)])
  }

  /// A helper died while it had nothing to do.
  func lost() {
    Counter(label: "mediatool_helper_deaths", dimensions: [("reason", "idle")]).increment()
    logger.warning("a helper died while it had nothing to do")
  }

  /// A helper died, or was killed, over a job.
  func death(_ death: HelperDeath, jobsBefore: Int) {
    Counter(label: "mediatool_helper_deaths", dimensions: [("reason", death.reason)]).increment()
    logger.notice(
      "a helper is no more",
      metadata: [
        "reason": .string(death.reason), "detail": .string(death.failure.detail ?? ""),
        "jobsBefore": .stringConvertible(jobsBefore),
      ])
  }

  /// Resident bytes of a helper at their highest.
  func memory(peak bytes: Int) {
    let before = peak.max(bytes, ordering: .relaxed)
    if before.newValue > before.oldValue { Gauge(label: "mediatool_helper_peak_bytes").record(Double(bytes)) }
  }

  /// A job is done.
  func finished(
    _ job: QueuedJob, began: ContinuousClock.Instant, answer: Result<JobAnswer, MediaFailure>
  ) {
    let work = job.key.job.work
    let outcome: String
    switch answer {
    case .success(let answer):
      let failure = answer.result.transcoded?.error ?? answer.result.thumbnails?.error ?? answer.result.info.error
      outcome = failure?.code.rawValue ?? "done"
      Counter(label: "mediatool_bytes_read").increment(by: answer.result.bytesRead)
    case .failure(let failure): outcome = failure.code.rawValue
    }
    Counter(label: "mediatool_jobs", dimensions: [("work", work), ("outcome", outcome)]).increment()
    Timer(label: "mediatool_job_wait", dimensions: [("priority", job.priority.rawValue)])
      .record(duration: job.enqueued.duration(to: began))
    Timer(label: "mediatool_job_duration", dimensions: [("work", work)]).record(duration: began.duration(to: .now))
  }

  /// A job was not taken.
  func refused(_ failure: MediaFailure) {
    Counter(label: "mediatool_jobs_refused", dimensions: [("reason", failure.code.rawValue)]).increment()
  }
}

extension MediaJob {
  /// The call that it came from.
  fileprivate var work: String {
    if transcoding != nil { return "transcode" }
    return pictures == nil ? "probe" : firstStage == .rendering ? "render" : "tile"
  }
}
