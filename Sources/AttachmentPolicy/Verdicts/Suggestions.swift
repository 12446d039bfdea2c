internal import MediaModel

/// Finds what would make a refused selection fit.
struct Suggestions {
  let rules: AttachmentRules
  let selection: [MediaAttachment]
  let draft: AttachmentDraft
  /// The answers, in the order of the selection.
  let files: [FileVerdict]

  /// First what to leave out, then what to make smaller, then where everything would pass.
  var all: [Suggestion] {
    guard rules.allowsAttachments else { return [] }
    return [drop].compactMap { $0 } + shrink + presets
  }

  /// The fewest files without which the others may go; nil when none could.
  private var drop: Suggestion? {
    var judge = Judge(rules, text: draft.text, attachments: draft.attachments)
    let free = judge.remaining ?? .max
    let freeBytes = rules.maxMessageBytes.map { max(0, $0.addingSaturated(-judge.bytes)) } ?? .max
    // What is wrong with a file itself is wrong in any company; of two that are the same one has to go.
    var dropped: Set<Int> = []
    var kept: [Int] = []
    var bytes = 0
    for (index, attachment) in selection.enumerated() {
      let isWrong = judge.reasons(against: attachment).contains { reason in
        switch reason {
        case .tooManyAttachments, .messageTooLarge, .batchRefused: false
        default: true
        }
      }
      if isWrong {
        dropped.insert(index)
      } else {
        judge.take(attachment)
        kept.append(index)
        bytes = bytes.addingSaturated(judge.countedBytes(of: attachment))
      }
    }
    // The largest first, since fewest have to go that way; of equals the later one.
    var left = kept.count
    if bytes > freeBytes {
      let sizes = kept.map { (index: $0, bytes: judge.countedBytes(of: selection[$0])) }
      let order = sizes.sorted { ($0.bytes, $0.index) > ($1.bytes, $1.index) }
      // A sum that stopped at the largest number is not that number; it is added up again from the small end.
      var sum = 0
      var fitting = 0
      for file in order.reversed() {
        sum = sum.addingSaturated(file.bytes)
        if sum > freeBytes { break }
        fitting += 1
      }
      for file in order.prefix(order.count - fitting) { dropped.insert(file.index) }
      left = fitting
    }
    for index in kept.reversed() where left > free && !dropped.contains(index) {
      dropped.insert(index)
      left -= 1
    }
    return dropped.isEmpty || left == 0 ? nil : .drop(dropped.sorted().map { selection[$0].id })
  }

  /// The pictures against which nothing speaks but their size, and what each may have.
  private var shrink: [Suggestion] {
    let candidates = files.indices.filter { index in
      selection[index].canShrink && !files[index].reasons.isEmpty
        && files[index].reasons.allSatisfy { reason in
          switch reason {
          case .fileTooLarge, .messageTooLarge, .tooManyPixels: true
          default: false
          }
        }
    }
    guard !candidates.isEmpty else { return [] }
    var share = Int.max
    if let limit = rules.maxMessageBytes {
      let accepted = zip(selection, files).filter(\.1.accepted).map(\.0)
      let taken = Judge(rules, text: draft.text, attachments: draft.attachments + accepted).bytes
      share = max(0, limit.addingSaturated(-taken)) / candidates.count
      if share < Judge.leastImageBytes { return [] }
    }
    return candidates.map { index in
      let bytes = min(share, rules.maxFileBytes(of: .image) ?? .max)
      let overPixels = files[index].reasons.contains { if case .tooManyPixels = $0 { true } else { false } }
      return .shrink(
        selection[index].id, maxBytes: bytes == .max ? nil : bytes, maxPixels: overPixels ? rules.maxPixels : nil)
    }
  }

  private var presets: [Suggestion] {
    let everything = draft.attachments + selection
    return Preset.allCases.filter { preset in
      let other = preset.rules
      return other != rules && other.accepts(everything, text: draft.text)
    }.map { .usePreset($0) }
  }
}
