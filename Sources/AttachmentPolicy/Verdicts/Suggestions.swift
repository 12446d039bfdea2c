internal import MediaModel

/// Finds what would make a refused selection fit.
struct Suggestions {
  let rules: AttachmentRules
  let selection: [MediaAttachment]
  let draft: AttachmentDraft
  /// The draft with what was accepted.
  let accepted: PolicyEvaluator
  /// The answers, in the order of the selection.
  let files: [FileVerdict]

  /// First what to leave out, then what to make smaller, then where everything would pass.
  var all: [Suggestion] {
    guard rules.allowsAttachments else { return [] }
    return [drop].compactMap { $0 } + shrink + presets
  }

  /// The fewest files without which the others may go; nil when none could.
  private var drop: Suggestion? {
    let before = PolicyEvaluator(rules, draft: draft)
    // Over the limit without any of them: nothing may join.
    if let limit = rules.maxMessageBytes, before.bytes > limit { return nil }
    let free = before.remaining ?? .max
    let freeBytes = rules.maxMessageBytes.map { $0.addingSaturated(-before.bytes) } ?? .max
    // What is wrong with a file itself is wrong in any company. Of two that are the same one has to go: among all that count the
    // verdict has found it, but those without a place were compared with none of their kind.
    var dropped: Set<Int> = []
    var kept: [(index: Int, bytes: Int)] = []
    var bytes = 0
    var evaluator = accepted
    for (index, file) in files.enumerated() {
      var isWrong = file.reasons.contains(where: \.liesInFile)
      if !isWrong, !file.accepted, rules.batch == .eachByItself {
        isWrong = evaluator.reasons(against: selection[index]).contains(where: \.liesInFile)
        if !isWrong { evaluator.take(selection[index]) }
      }
      if isWrong {
        dropped.insert(index)
      } else {
        let counted = rules.countedBytes(of: selection[index].info)
        kept.append((index, counted))
        bytes = bytes.addingSaturated(counted)
      }
    }
    // The largest first, since fewest have to go that way; of equals the later one.
    var left = kept.count
    if bytes > freeBytes {
      let order = kept.sorted { ($0.bytes, $0.index) > ($1.bytes, $1.index) }
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
    for index in kept.lazy.map(\.index).reversed() where left > free && !dropped.contains(index) {
      dropped.insert(index)
      left -= 1
    }
    return dropped.isEmpty || left == 0 ? nil : .drop(dropped.sorted().map { selection[$0].id })
  }

  /// The images against which nothing speaks but their size, and what each may have, so that all of them go beside what was not refused.
  private var shrink: [Suggestion] {
    var candidates = files.indices.filter { index in
      !files[index].accepted
        && files[index].reasons.allSatisfy { reason in
          switch reason {
          case .fileTooLarge, .messageTooLarge, .tooManyPixels: true
          default: false
          }
        } && selection[index].canShrink
    }
    var others = accepted
    // Of a selection that goes as a whole or not at all none was accepted; those held back by the others take their room too.
    for (index, file) in files.enumerated() where file.reasons.contains(.batchRefused) { others.take(selection[index]) }
    if let places = others.remaining { candidates = Array(candidates.prefix(places)) }
    guard !candidates.isEmpty else { return [] }
    var share = Int.max
    if let limit = rules.maxMessageBytes {
      share = max(0, limit.addingSaturated(-others.bytes)) / candidates.count
      if share < AttachmentRules.leastImageBytes { return [] }
    }
    return candidates.map { index in
      let bytes = min(share, rules.maxFileBytes(of: .image) ?? .max)
      let overPixels = files[index].reasons.contains { if case .tooManyPixels = $0 { true } else { false } }
      return .shrink(
        selection[index].id, maxBytes: bytes == .max ? nil : bytes, maxPixels: overPixels ? rules.maxPixels : nil)
    }
  }

  private var presets: [Suggestion] {
    Preset.allCases.filter { preset in
      let other = preset.rules
      return other != rules && other.accepts(draft.attachments, then: selection, text: draft.text)
    }.map { .usePreset($0) }
  }
}

extension RefusalReason {
  /// Whether it speaks against a file in any company, or for its being there already.
  fileprivate var liesInFile: Bool {
    switch self {
    case .tooManyAttachments, .messageTooLarge, .batchRefused: false
    default: true
    }
  }
}
