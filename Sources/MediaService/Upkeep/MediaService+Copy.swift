internal import MediaLibrary
internal import Metrics

extension MediaService {
  /// Completes the copy of the library once a day, if it was opened with one: originals that the copy lacks, then a snapshot of the catalogue. New originals and
  /// renditions are in the copy when they are stored. Call it once a minute; ``run()`` does. No request waits for it.
  func sweepCopy() async {
    guard configuration.libraryOptions.copy != nil else { return }
    let (library, time) = (library.library, now())
    let written = Gauge(
      label: "mediatool_copy_snapshot_timestamp_seconds", dimensions: [],
      factory: configuration.metrics ?? MetricsSystem.factory)
    await runIfDue(.copy) { isStopped in
      try library.copyMissingOriginals(until: isStopped)
      if isStopped() { return }
      try library.backUp()
      written.record(time)
    }
  }
}
