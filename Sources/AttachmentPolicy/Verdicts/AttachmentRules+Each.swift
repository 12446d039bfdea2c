extension AttachmentRules {
  /// The reasons against each of these if it alone were added to the draft: what a grid of candidates shows, of which a person takes one.
  public func reasons(againstEach candidates: [MediaAttachment], given draft: AttachmentDraft) -> [[RefusalReason]] {
    let judge = Judge(self, text: draft.text, attachments: draft.attachments)
    return candidates.map { judge.reasons(against: $0) }
  }
}
