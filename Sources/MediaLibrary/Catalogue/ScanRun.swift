public import FileSupport

/// One scan in the catalogue, with its start and end.
public struct ScanRun: Hashable, Sendable, Identifiable {
  /// Number of the scan; later scans have greater numbers.
  public var id: Int64
  /// The folders that were scanned.
  public var roots: [PathBytes]
  /// Start in seconds since 1970.
  public var started: Int
  /// End in seconds since 1970; nil while it runs, and if it was interrupted.
  public var finished: Int?
}
