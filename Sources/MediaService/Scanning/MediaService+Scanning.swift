public import MalwareScanning
internal import MediaLibrary
internal import Synchronization

extension MediaService {
  /// How files are scanned for malware.
  public struct Scanning: Sendable {
    /// What becomes of a file that the scanner did not look at: it is away, failed or took too long, or the file is encrypted or larger than its limits.
    public enum Policy: String, Sendable, CaseIterable {
      /// It is stored, and nobody but its owner sees it until a scan finds it clean. No images are made of it before.
      case hold
      /// An upload is refused. Files that were stored before are held.
      case refuse
      /// It is shown as if it were clean.
      case allow
    }

    /// The scanner.
    public var scanner: any MalwareScanner
    /// What becomes of files without a verdict.
    public var policy: Policy

    /// Scans with a scanner.
    /// - Parameter policy: Default ``Policy/hold``: what was not scanned is not shown.
    public init(_ scanner: any MalwareScanner, policy: Policy = .hold) {
      (self.scanner, self.policy) = (scanner, policy)
    }
  }

  /// Whether files are held because they were not found clean: of file contents, in one query.
  func held(_ files: [CatalogueFile]) async throws -> Set<FileID> {
    guard let scanning = configuration.scanning, scanning.policy != .allow, !files.isEmpty else { return [] }
    let contents = files.map { (id: $0.id, content: $0.digest) }
    return try await library.readModeration { moderation in
      // Without a digest there is no verdict, so nobody knows whether it is clean.
      Set(
        try contents.filter { file in
          try file.content.flatMap { try moderation.verdict(of: $0) }?.state != .clean
        }.map(\.id))
    }
  }
}

/// Whether the scanner answered the last time that it was asked, so that nobody has to wait for it to know.
final class ScannerState: Sendable {
  private let isAway = Mutex(false)

  /// Whether it did not answer.
  var didNotAnswer: Bool { isAway.withLock { $0 } }

  func note(isUp: Bool) { isAway.withLock { $0 = !isUp } }
}
