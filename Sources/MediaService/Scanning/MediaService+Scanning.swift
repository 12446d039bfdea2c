public import MalwareScanning
internal import MediaLibrary
internal import Metrics
internal import Synchronization

extension MediaService {
  /// How files are scanned for malware.
  public struct Scanning: Sendable {
    /// What happens to a file that the scanner did not look at: it is away, failed or took too long, or the file is encrypted or larger than its limits.
    public enum Policy: String, Sendable, CaseIterable {
      /// It is stored, and nobody but its owner sees it until a scan finds it clean. No images are made of it before.
      case hold
      /// An upload is refused. Files that were stored before are held.
      case refuse
      /// It is shown as if it were clean.
      case allow
    }

    /// What scans the files, such as a clamd.
    public var scanner: any MalwareScanner
    /// What happens to files without a verdict.
    public var policy: Policy

    /// Scans with a scanner.
    /// - Parameter policy: Default ``Policy/hold``: what was not scanned is not shown.
    public init(_ scanner: any MalwareScanner, policy: Policy = .hold) {
      (self.scanner, self.policy) = (scanner, policy)
    }
  }

  /// Whether files are held because they were not found clean or accepted: of file contents, in one query.
  func held(_ files: [CatalogueFile]) async throws -> Set<FileID> {
    guard let scanning = configuration.scanning, scanning.policy != .allow, !files.isEmpty else { return [] }
    let contents = files.map { (id: $0.id, content: $0.digest) }
    return try await library.readModeration { moderation in
      // Without a digest there is no verdict, so nobody knows whether it is clean.
      Set(
        try contents.filter { file in
          try file.content.flatMap { try moderation.verdict(of: $0) }?.isClean != true
        }.map(\.id))
    }
  }
}

extension MediaService {
  /// Notes for the metrics how many files wait for a scan.
  func noteWaitingFiles() async {
    // What cannot be counted now is counted a minute later.
    guard let count = try? await library.readModeration({ try $0.waitingFiles() }) else { return }
    attachments.scanner.note(waitingFiles: count)
  }
}

/// What is known of the scanner since the last time that it was asked, so that nobody has to wait for it to know.
final class ScannerState: Sendable {
  private struct State {
    var isAway = false
    var signatures: Int?
  }

  private let state = Mutex(State())
  private let metrics: any MetricsFactory

  /// - Parameter metrics: Takes whether it answers, and how many files wait; docs/security.md lists the names.
  init(_ metrics: any MetricsFactory) { self.metrics = metrics }

  /// Whether it did not answer.
  var didNotAnswer: Bool { state.withLock(\.isAway) }
  /// The newest version of its signatures; nil if it stated none.
  var signatures: Int? { state.withLock(\.signatures) }

  /// Files wait for a scan, and are held meanwhile unless the policy is to allow them.
  func note(waitingFiles count: Int) {
    Gauge(label: "mediatool_scan_waiting_files", dimensions: [], factory: metrics).record(count)
  }

  /// - Parameter signatures: Those of a status or a scan. A scan that ended lately may have older ones than are known. Default nil: none are stated.
  func note(isUp: Bool, signatures: Int? = nil) {
    Gauge(label: "mediatool_scanner_up", dimensions: [], factory: metrics).record(isUp ? 1 : 0)
    state.withLock { state in
      state.isAway = !isUp
      if let signatures { state.signatures = max(signatures, state.signatures ?? signatures) }
    }
  }
}
