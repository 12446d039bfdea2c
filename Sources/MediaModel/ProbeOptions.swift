/// Which facts of a file are looked for, and how far.
public struct ProbeOptions: Hashable, Codable, Sendable {
  /// Deadline and sizes. Default: `MediaLimits`'s own.
  public var limits = MediaLimits()
  /// Whether the whole file is read for its SHA-256. Default false.
  public var digest = false
  /// Seconds for that reading, beside those for the facts. Default 60: ten gigabytes from a fast disk, or a video from a slow one.
  public var digestSeconds = 60.0
  /// The defaults.
  public init() {}
}

/// What somebody claims a file to be; compared with the content, never believed.
public enum MediaClaim: Hashable, Codable, Sendable {
  /// A file name or path; its extension counts.
  case fileName(String)
  /// A media type sent by a client.
  case mediaType(String)
}
