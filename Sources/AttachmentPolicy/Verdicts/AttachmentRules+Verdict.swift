internal import MediaModel

extension AttachmentRules {
  /// Judges a whole selection beside what is in the draft.
  ///
  /// Files are judged in their order: the first ones get the free places and the free bytes. Takes time in proportion to the number of
  /// files in selection and draft.
  public func verdict(for selection: [MediaAttachment], given draft: AttachmentDraft = AttachmentDraft()) -> Verdict {
    var judge = Judge(self, text: draft.text, attachments: draft.attachments, expected: selection.count)
    var files: [FileVerdict] = []
    files.reserveCapacity(selection.count)
    var refused = false
    for attachment in selection {
      let reasons = judge.reasons(against: attachment)
      if reasons.isEmpty || batch == .allOrNothing { judge.take(attachment) }
      if !reasons.isEmpty { refused = true }
      files.append(FileVerdict(id: attachment.id, reasons: reasons))
    }
    if refused, batch == .allOrNothing {
      for index in files.indices where files[index].accepted {
        files[index] = FileVerdict(id: files[index].id, reasons: [.batchRefused])
      }
      judge = Judge(self, text: draft.text, attachments: draft.attachments)
    }
    if shrinksImages { markShrinking(&files, of: selection, wholeBytes: judge.wholeBytes) }
    return Verdict(
      accepted: !refused, files: files, remaining: judge.remaining,
      suggestions: refused
        ? Suggestions(rules: self, selection: selection, draft: draft, accepted: judge, files: files).all : [])
  }

  /// Whether all of these may go together, with that text; looks no further than the first that may not.
  func accepts(_ attachments: some Sequence<MediaAttachment>, then others: [MediaAttachment], text: String) -> Bool {
    if let limit = maxTextScalars, text.unicodeScalars.trimmedCount > limit { return false }
    var judge = Judge(self, text: text, attachments: [])
    func takes(_ attachment: MediaAttachment) -> Bool {
      guard judge.reasons(against: attachment).isEmpty else { return false }
      judge.take(attachment)
      return true
    }
    return attachments.allSatisfy(takes) && others.allSatisfy(takes)
  }

  /// Pictures over the limit of a file, or in a message over its own, go smaller than they are.
  private func markShrinking(_ files: inout [FileVerdict], of selection: [MediaAttachment], wholeBytes: Int) {
    let messageIsOver = maxMessageBytes.map { wholeBytes > $0 } ?? false
    for (index, attachment) in selection.enumerated() where files[index].accepted && shrinks(attachment.info) {
      let fileIsOver = maxFileBytes(of: .image).map { attachment.info.bytes > $0 } ?? false
      if messageIsOver || fileIsOver { files[index].shrinks = true }
    }
  }
}
