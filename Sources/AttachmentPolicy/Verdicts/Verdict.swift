/// One answer for a whole selection.
public struct Verdict: Hashable, Codable, Sendable {
  /// Whether every file may go.
  public var accepted: Bool
  /// One answer a file, in the order of the selection.
  public var files: [FileVerdict]
  /// Places left once the accepted files are in; nil without a limit.
  public var remaining: Int?
  /// What would make the rest fit; empty when everything does, or nothing can be done.
  public var suggestions: [Suggestion]

  /// A verdict of those parts.
  public init(accepted: Bool, files: [FileVerdict], remaining: Int?, suggestions: [Suggestion]) {
    self.accepted = accepted
    self.files = files
    self.remaining = remaining
    self.suggestions = suggestions
  }
}

/// The answer for one file.
public struct FileVerdict: Hashable, Codable, Sendable, Identifiable {
  /// The attachment.
  public var id: MediaAttachment.ID
  /// Whether it may go.
  public var accepted: Bool
  /// Every reason why not, those that lie in the file itself first; empty when it may go.
  public var reasons: [RefusalReason]
  /// Whether it may go only after it has been made smaller (``AttachmentRules/shrinksImages``); nil when it goes as it is.
  public var shrinks: Bool?

  /// An answer.
  public init(id: MediaAttachment.ID, reasons: [RefusalReason], shrinks: Bool? = nil) {
    self.id = id
    self.accepted = reasons.isEmpty
    self.reasons = reasons
    self.shrinks = shrinks
  }
}
