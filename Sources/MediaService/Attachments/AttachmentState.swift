internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Metrics

/// What the use cases of attachments keep in memory.
final class AttachmentState: Sendable {
  /// The application's decisions; nil if it makes none.
  let policy: AccessDecisions?
  /// The keys of signed URLs.
  let signingKeys: Locked<SigningKeys?>
  /// Whether the malware scanner answers.
  let scanner: ScannerState
  /// Scans of uploads for malware.
  let scans: ArrivalScans
  /// Files for which the service could not act on a moderation decision.
  let missed = UnappliedDecisions()
  /// Renditions that are being made.
  let renditions = SingleFlight<RenditionKey, MediaService.Rendered>()
  /// Storyboards and waveforms that are being made.
  let parts = SingleFlight<RenditionKey, [String: MediaService.Rendered]>()
  /// Threads that read originals. A reader that finds them busy waits, for its answer has begun.
  let reading = BlockingThreads(limit: 4, maxWaiting: .max / 2)
  /// Threads that read mails, each of which takes up to ``MediaService/maxMailBytes`` and as much again for a decoded file.
  let mails = BlockingThreads(limit: 2)
  /// Originals without metadata that were read last, and those that are being made.
  let stripped = StrippedOriginals()
  /// The thread that makes them: each takes up to ``StrippedOriginals/maxBytes``, and as much again.
  let stripping = BlockingThreads(limit: 1)

  init(_ configuration: MediaService.Configuration) {
    signingKeys = Locked(configuration.signingKeys)
    scanner = ScannerState(configuration.metrics ?? MetricsSystem.factory)
    scans = ArrivalScans(clock: configuration.clock)
    policy = configuration.accessPolicy.map {
      AccessDecisions($0, seconds: configuration.limits.accessSeconds, clock: configuration.clock)
    }
  }
}

/// One rendition of one file.
struct RenditionKey: Hashable, Sendable {
  let file: FileID
  /// The name in the catalogue, or a name of its own for what is not stored.
  let name: String
}
