extension MediaFailure {
  /// Whether trying a failed file again can help.
  public enum Retry: String, Hashable, Codable, Sendable, CaseIterable {
    /// The file is the reason: another attempt has the same result.
    case never
    /// Something that passes is the reason, such as a full queue or an error of the disk that has the file.
    case later
    /// This machine is the reason, such as its memory or its disk: another one may succeed.
    case elsewhere
  }

  /// Whether trying again can help; ``Retry/never`` for codes that this version does not know.
  public var retry: Retry {
    switch code {
    case .unreadable, .busy, .cancelled, .changed, .sourceUnavailable, .badResponse: .later
    case .outOfMemory, .unavailable, .unwritable, .noCredentials: .elsewhere
    default: .never
    }
  }
}
