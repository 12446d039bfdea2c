extension MediaInfo {
  /// A disagreement between the declared type of a file and its content.
  public struct Mismatch: Hashable, Codable, Sendable {
    /// The declared type: a file name extension without a dot, or a MIME type.
    public var declared: String
    /// Who declared it.
    public var by: Claimant
    /// How much the declared type and the content differ.
    public var `class`: Class

    /// A difference that the caller has found.
    public init(declared: String, by: Claimant, class: Class) {
      self.declared = declared
      self.by = by
      self.class = `class`
    }

    /// The source of a declared type.
    public enum Claimant: String, Codable, Sendable {
      /// The file name's extension.
      case `extension`
      /// The client that sent the file.
      case client
    }

    /// How much the declared type and the content differ.
    public enum Class: String, Codable, Sendable {
      /// Another format of the same kind: a PNG named `.jpg`.
      case format
      /// Another kind of media: a video named `.jpg`.
      case kind
      /// Active content declared as media: HTML, SVG, scripts, programs or archives.
      case active
    }
  }
}
