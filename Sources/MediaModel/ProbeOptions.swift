/// Options for probing a file.
public struct ProbeOptions: Hashable, Codable, Sendable {
  /// Deadline and size limits. Defaults to `MediaLimits()`.
  public var limits = MediaLimits()
  /// Whether to read the whole file for its SHA-256. False by default.
  public var digest = false
  /// Deadline in seconds for the SHA-256, in addition to the probe deadline.
  ///
  /// 60 by default: enough for 10 GB on a fast disk, or a video on a slow one.
  public var digestSeconds = 60.0
  /// Creates the default options.
  public init() {}
}
