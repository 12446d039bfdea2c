internal import MediaModel

/// Finds the changes that would make a refused selection fit.
struct Suggestions {
  let rules: AttachmentRules
  let selection: [MediaAttachment]
  let draft: AttachmentDraft
  /// The draft and the accepted files.
  let accepted: PolicyEvaluator
  /// The verdicts in the order of the selection.
  let files: [Verdict.File]

  /// All suggestions: first files to remove, then images to reduce, then a preset.
  var all: [Verdict.Suggestion] {
    guard rules.allowsAttachments else { return [] }
    return [drop].compactMap { $0 } + shrink + presets
  }

  /// The smallest set of files without which the others are accepted; nil if there is none.
  private var drop: Verdict.Suggestion? {
    let before = PolicyEvaluator(rules, draft: draft)
    // The draft is over the limit without them: nothing can be added.
    if let limit = rules.maxMessageBytes, before.bytes > limit { return nil }
    let free = before.remaining ?? .max
    let freeBytes = rules.maxMessageBytes.map { $0.addingSaturated(-before.bytes) } ?? .max
    // A reason in the file itself holds in any combination. Of two duplicates one must be removed. The verdict has
    // found duplicates of counted files, but files refused for the number of attachments were not compared with each
    // other.
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
    // Remove the largest files first, so that the fewest are removed; among equals the later one.
    var left = kept.count
    if bytes > freeBytes {
      let order = kept.sorted { ($0.bytes, $0.index) > ($1.bytes, $1.index) }
      // A saturated sum cannot be subtracted from, so add up again from the smallest file.
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

  /// Reductions for the images that are refused only for their size. With them, all these images fit together with the
  /// accepted files.
  private var shrink: [Verdict.Suggestion] {
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
    // In an all-or-none batch no file was accepted, so the files that were held back need their bytes too.
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

  /// Presets with limits that accept everything.
  ///
  /// A preset is a way out of a limit, never of a check: with the checks of the current rules, and of active content
  /// (R-MYM-21), it must accept the files too.
  private var presets: [Verdict.Suggestion] {
    AttachmentRules.Preset.allCases.filter { preset in
      var other = preset.rules
      guard other != rules else { return false }
      other.refusedMismatches.formUnion(rules.refusedMismatches.union([.active]))
      other.refusesDamagedFiles = other.refusesDamagedFiles || rules.refusesDamagedFiles
      other.refusesSameAsset = other.refusesSameAsset || rules.refusesSameAsset
      other.refusesSameContent = other.refusesSameContent || rules.refusesSameContent
      return other.accepts(draft.attachments, then: selection, text: draft.text)
    }.map { .usePreset($0) }
  }
}

extension Verdict.Reason {
  /// Whether the reason holds in any combination of files, or the file is a duplicate.
  fileprivate var liesInFile: Bool {
    switch self {
    case .tooManyAttachments, .messageTooLarge, .batchRefused: false
    default: true
    }
  }
}
