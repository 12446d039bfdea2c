public import FileSupport

/// One scan, from its beginning to its end.
public struct ScanRun: Hashable, Sendable, Identifiable {
  /// Its number in the catalogue; later ones have greater numbers.
  public var id: Int64
  /// The folders that it walks.
  public var roots: [PathBytes]
  /// Seconds since 1970.
  public var started: Int
  /// Seconds since 1970; nil for one that is running, or was cut off.
  public var finished: Int?
}
