/// How the name of a file and its content disagree.
public struct Mismatch: Hashable, Codable, Sendable {
  /// What was claimed: an extension without a dot, or a MIME type.
  public var declared: String
  /// Who claimed it.
  public var by: Claimant
  /// How far apart claim and content are.
  public var `class`: Class

  /// A disagreement.
  public init(declared: String, by: Claimant, class: Class) {
    self.declared = declared
    self.by = by
    self.class = `class`
  }

  /// Who claimed the type.
  public enum Claimant: String, Codable, Sendable {
    /// The file name's extension.
    case `extension`
    /// The client that sent the file.
    case client
  }

  /// How far apart claim and content are.
  public enum Class: String, Codable, Sendable {
    /// Another format of the same kind: a PNG named `.jpg`.
    case format
    /// Another kind: a video named `.jpg`.
    case kind
    /// The claim promises something to look at or listen to, and the content can act: HTML, SVG, scripts, programs, archives.
    case active
  }
}
