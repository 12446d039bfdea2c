/// The verdict on a whole selection.
public struct Verdict: Hashable, Codable, Sendable {
  /// Whether every file is accepted.
  public var accepted: Bool
  /// One verdict per file, in the order of the selection.
  public var files: [File]
  /// Remaining slots after adding the accepted files; nil without a limit.
  public var remaining: Int?
  /// Changes that would make the rest fit. Empty if everything is accepted, or if nothing helps.
  public var suggestions: [Suggestion]

  /// A verdict as it is stated; `accepted` is not derived from `files`.
  public init(accepted: Bool, files: [File], remaining: Int?, suggestions: [Suggestion]) {
    self.accepted = accepted
    self.files = files
    self.remaining = remaining
    self.suggestions = suggestions
  }
}

extension Verdict {
  /// Whether one file of the selection can be attached, and if not, every reason.
  public struct File: Hashable, Codable, Sendable, Identifiable {
    /// The ``MediaAttachment/id`` that the caller gave the file.
    public var id: MediaAttachment.ID
    /// Whether the file is accepted.
    public var accepted: Bool
    /// All reasons to refuse the file, those in the file itself first; empty when it is accepted.
    public var reasons: [Reason]
    /// True if the file is accepted only after its size is reduced (``AttachmentRules/shrinksImages``); nil if it is sent
    /// unchanged.
    public var shrinks: Bool?

    /// Creates a verdict for one file, which is accepted if there are no reasons.
    public init(id: MediaAttachment.ID, reasons: [Reason], shrinks: Bool? = nil) {
      self.id = id
      self.accepted = reasons.isEmpty
      self.reasons = reasons
      self.shrinks = shrinks
    }
  }
}
