internal import MediaModel

extension AttachmentRules {
  /// Evaluates a whole selection together with the attachments in the draft.
  ///
  /// Files are evaluated in order, so that the first ones get the remaining slots and bytes. The cost is linear in the
  /// number of files in selection and draft.
  public func verdict(for selection: [MediaAttachment], given draft: AttachmentDraft = AttachmentDraft()) -> Verdict {
    var evaluator = PolicyEvaluator(self, text: draft.text, attachments: draft.attachments, expected: selection.count)
    var files: [Verdict.File] = []
    files.reserveCapacity(selection.count)
    var refused = false
    for attachment in selection {
      let reasons = evaluator.reasons(against: attachment)
      if reasons.isEmpty || batch == .allOrNothing { evaluator.take(attachment) }
      if !reasons.isEmpty { refused = true }
      files.append(Verdict.File(id: attachment.id, reasons: reasons))
    }
    if refused, batch == .allOrNothing {
      for index in files.indices where files[index].accepted {
        files[index] = Verdict.File(id: files[index].id, reasons: [.batchRefused])
      }
      evaluator = PolicyEvaluator(self, text: draft.text, attachments: draft.attachments)
    }
    if shrinksImages { markShrinking(&files, of: selection, wholeBytes: evaluator.wholeBytes) }
    return Verdict(
      accepted: !refused, files: files, remaining: evaluator.remaining,
      suggestions: refused
        ? Suggestions(rules: self, selection: selection, draft: draft, accepted: evaluator, files: files).all : [])
  }

  /// Whether all files may be sent together with the text. Stops at the first refused file.
  func accepts(_ attachments: some Sequence<MediaAttachment>, then others: [MediaAttachment], text: String) -> Bool {
    if let limit = maxTextScalars, text.unicodeScalars.trimmedCount > limit { return false }
    var evaluator = PolicyEvaluator(self, text: text, attachments: [])
    func takes(_ attachment: MediaAttachment) -> Bool {
      guard evaluator.reasons(against: attachment).isEmpty else { return false }
      evaluator.take(attachment)
      return true
    }
    return attachments.allSatisfy(takes) && others.allSatisfy(takes)
  }

  /// Marks images that will be reduced in size: those over the file limit, or all shrinkable ones if the message is
  /// over its limit.
  private func markShrinking(_ files: inout [Verdict.File], of selection: [MediaAttachment], wholeBytes: Int) {
    let messageIsOver = maxMessageBytes.map { wholeBytes > $0 } ?? false
    for (index, attachment) in selection.enumerated() where files[index].accepted && shrinks(attachment.info) {
      let fileIsOver = maxFileBytes(of: .image).map { attachment.info.bytes > $0 } ?? false
      if messageIsOver || fileIsOver { files[index].shrinks = true }
    }
  }
}
