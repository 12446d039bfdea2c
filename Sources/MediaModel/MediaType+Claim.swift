extension MediaType {
  /// A declared file name or type. It is compared with the content and never trusted.
  public enum Claim: Hashable, Codable, Sendable {
    /// A file name or path; only its extension is used.
    case fileName(String)
    /// A media type declared by a client.
    case mediaType(String)
  }
}
