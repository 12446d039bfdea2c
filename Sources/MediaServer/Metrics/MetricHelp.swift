/// What each metric of this project counts, for the `# HELP` lines of the exposition. docs/security.md has the values of the labels.
enum MetricHelp {
  /// One sentence by metric, in one line and without backslashes. A metric of another library has a general one.
  static func text(_ name: String) -> String { texts[name] ?? "A metric of a software library that this server uses." }

  static let texts = [
    "mediatool_jobs_total": "Jobs of the media engine that have ended, by work and outcome.",
    "mediatool_jobs_refused_total": "Jobs that the media engine refused, by the code of the failure.",
    "mediatool_job_wait_seconds": "Time that jobs waited for a worker, by priority.",
    "mediatool_job_duration_seconds": "Time that jobs took in a worker, by work.",
    "mediatool_lost_threads_total": "Threads that were replaced because they wait for an open() that does not return.",
    "mediatool_read_bytes_total": "Bytes that jobs read from media files.",
    "mediatool_worker_starts_total": "Workers that were started.",
    "mediatool_worker_start_failures_total": "Workers that could not be started.",
    "mediatool_worker_deaths_total": "Workers that died or were killed, by reason.",
    "mediatool_worker_replacements_total": "Workers that were replaced without a failure, by reason.",
    "mediatool_worker_peak_bytes": "Highest resident memory of a worker since the start, in bytes.",
    "mediatool_isolation_layer": "Whether an isolation layer of the workers is on (1) or off (0), by layer.",
    "mediatool_upload_bytes_total": "Bytes received of uploads, by protocol.",
    "mediatool_uploads_total": "Uploads, by protocol and outcome.",
    "mediatool_uploads_open": "Uploads that are not complete, of all owners.",
    "mediatool_upload_examination_seconds": "Time to examine a complete upload and make its images.",
    "mediatool_scanner_up": "Whether the malware scanner answers (1) or not (0).",
    "mediatool_scan_waiting_files": "Files that wait for a malware scan.",
    "mediatool_copy_snapshot_timestamp_seconds":
      "When the last snapshot of the catalogue was written into the copy, in seconds since 1970.",
    "mediatool_verified_files_total": "Stored files that were compared with their digests.",
    "mediatool_verification_problems_total": "Problems that the comparison with digests found, by problem.",
    "mediatool_verification_complete_timestamp_seconds":
      "When all stored files had been compared with their digests, in seconds since 1970.",
    "mediatool_requests_total": "Requests that were answered, by route, method and status.",
    "mediatool_request_duration_seconds":
      "Time from the head of a request to the head of its response, by route and method.",
    "mediatool_requests_in_progress": "Requests that are being answered.",
    "mediatool_requests_refused_total": "Requests that a limit refused before their route, by reason.",
    "mediatool_connections_cut_total": "Connections that a limit or a deadline closed, by reason.",
    "mediatool_hot_answers_total": "Responses from the in-memory cache, which the other metrics do not count.",
  ]
}
