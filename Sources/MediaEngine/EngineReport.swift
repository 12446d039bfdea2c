internal import Logging
internal import MediaEngineProtocol
internal import MediaModel
internal import Metrics
internal import Synchronization

/// The metrics and logs of an engine. docs/security.md and the DocC page list the names, on which dashboards depend.
final class EngineReport: Sendable {
  private let logger: Logger
  private let factory: any MetricsFactory
  private let peak = Atomic<Int>(0)

  init(logger: Logger, metrics factory: any MetricsFactory) {
    self.logger = logger
    self.factory = factory
  }

  private func count(_ name: String, _ dimensions: [(String, String)] = [], by amount: Int = 1) {
    Counter(label: name, dimensions: dimensions, factory: factory).increment(by: amount)
  }

  private func gauge(_ name: String, _ dimensions: [(String, String)], _ value: Int) {
    Gauge(label: name, dimensions: dimensions, factory: factory).record(value)
  }

  private func time(_ name: String, _ dimensions: [(String, String)], _ duration: Duration) {
    Timer(label: name, dimensions: dimensions, factory: factory).record(duration: duration)
  }

  /// A worker has sent its greeting.
  func started(_ layers: IsolationLayers) {
    count("mediatool_worker_starts_total")
    for layer in layers.named {
      gauge("mediatool_isolation_layer", [("layer", layer.name)], layer.isOn ? 1 : 0)
    }
    gauge("mediatool_isolation_layer", [("layer", "namespaces")], layers.namespaces.isEmpty ? 0 : 1)
    logger.debug(
      "worker started",
      metadata: ["layers": .string(layers.named.filter(\.isOn).map(\.name).joined(separator: " "))])
  }

  /// A worker could not be started.
  func failedToStart(_ failure: WorkerStartFailure) {
    count("mediatool_worker_start_failures_total")
    logger.error("worker failed to start", metadata: ["reason": .string(failure.reason)])
  }

  /// An idle worker died.
  func lost() {
    count("mediatool_worker_deaths_total", [("reason", "idle")])
    logger.warning("idle worker died")
  }

  /// A worker was replaced for no fault of its own.
  func replaced(_ reason: WorkerReplacement) {
    count("mediatool_worker_replacements_total", [("reason", reason.rawValue)])
  }

  /// A worker died, or was killed, during a job.
  func death(_ death: WorkerDeath, jobsBefore: Int) {
    count("mediatool_worker_deaths_total", [("reason", death.reason)])
    logger.notice(
      "worker died",
      metadata: [
        "reason": .string(death.reason), "detail": .string(death.failure.detail ?? ""),
        "jobsBefore": .stringConvertible(jobsBefore),
      ])
  }

  /// Records the highest number of resident bytes of a worker.
  func memory(peak bytes: Int) {
    let before = peak.max(bytes, ordering: .relaxed)
    if before.newValue > before.oldValue { gauge("mediatool_worker_peak_bytes", [], bytes) }
  }

  /// A thread is blocked in an unresponsive file system and was replaced.
  func lostThread() {
    count("mediatool_lost_threads_total")
    logger.warning("thread is blocked in open() and was replaced")
  }

  /// A job was cancelled before it began.
  func givenUp(_ job: QueuedJob) {
    count("mediatool_jobs_total", [("work", job.key.job.work), ("outcome", "cancelled")])
  }

  /// A job has ended.
  func finished(
    _ job: QueuedJob, began: ContinuousClock.Instant, answer: Result<JobAnswer, MediaFailure>
  ) {
    let work = job.key.job.work
    let outcome: String
    switch answer {
    case .success(let answer):
      let failure = answer.result.transcoded?.error ?? answer.result.thumbnails?.error ?? answer.result.info.error
      outcome = failure?.code.rawValue ?? "done"
      count("mediatool_read_bytes_total", by: answer.result.bytesRead)
    case .failure(let failure): outcome = failure.code.rawValue
    }
    count("mediatool_jobs_total", [("work", work), ("outcome", outcome)])
    time("mediatool_job_wait_seconds", [("priority", job.priority.rawValue)], job.enqueued.duration(to: began))
    time("mediatool_job_duration_seconds", [("work", work)], began.duration(to: .now))
  }

  /// A job was refused.
  func refused(_ failure: MediaFailure) {
    count("mediatool_jobs_refused_total", [("reason", failure.code.rawValue)])
  }
}

extension MediaJob {
  /// The method that requested the job.
  fileprivate var work: String {
    if transcoding != nil { return "transcode" }
    return images == nil ? "probe" : firstStage == .rendering ? "render" : "preview"
  }
}
