package import MediaModel

/// Evaluates the files of a selection in order, each together with those accepted before it.
package struct PolicyEvaluator {
  let rules: AttachmentRules
  /// Number of files in the draft and of those accepted so far.
  private(set) var count = 0
  /// Bytes of text and files. An image that can be reduced in size counts as its reserved bytes.
  private(set) var bytes: Int
  /// Bytes of text and files at their original size.
  private(set) var wholeBytes: Int
  private var ids: Set<MediaAttachment.ID> = []
  private var assets: [AssetID: MediaAttachment.ID] = [:]
  private var digests: [String: MediaAttachment.ID] = [:]

  /// - Parameter expected: The number of files that may follow, to reserve capacity.
  init(_ rules: AttachmentRules, text: String, attachments: some Sequence<MediaAttachment>, expected: Int = 0) {
    self.rules = rules
    bytes = text.utf8.count
    wholeBytes = bytes
    let maximum = min(expected, rules.maxAttachments ?? expected)
    ids.reserveCapacity(maximum)
    if rules.refusesSameAsset { assets.reserveCapacity(maximum) }
    if rules.refusesSameContent { digests.reserveCapacity(maximum) }
    for attachment in attachments { take(attachment) }
  }

  /// Creates an evaluator that starts from a draft.
  package init(_ rules: AttachmentRules, draft: AttachmentDraft) {
    self.init(rules, text: draft.text, attachments: draft.attachments)
  }

  /// Remaining slots; nil without a limit.
  var remaining: Int? { rules.maxAttachments.map { max(0, $0 - count) } }

  /// The reasons to refuse one more file.
  func reasons(against attachment: MediaAttachment) -> [Verdict.Reason] {
    reasons(against: attachment.info, id: attachment.id, asset: attachment.asset)
  }

  /// The reasons to refuse one more file. Avoids creating an attachment for it.
  package func reasons(against info: MediaInfo, id: MediaAttachment.ID, asset: AssetID?) -> [Verdict.Reason] {
    var reasons = rules.reasons(against: info)
    if let original = original(of: id, asset: asset, digest: info.sha256) { reasons.append(.duplicate(of: original)) }
    if rules.allowsAttachments, let limit = rules.maxAttachments, count >= limit {
      reasons.append(.tooManyAttachments(limit: limit))
    }
    if let limit = rules.maxMessageBytes {
      let total = bytes.addingSaturated(rules.countedBytes(of: info))
      if total > limit { reasons.append(.messageTooLarge(limit: limit, actual: total)) }
    }
    return reasons
  }

  /// Counts an accepted file.
  mutating func take(_ attachment: MediaAttachment) {
    count += 1
    bytes = bytes.addingSaturated(rules.countedBytes(of: attachment.info))
    wholeBytes = wholeBytes.addingSaturated(max(0, attachment.info.bytes))
    ids.insert(attachment.id)
    // The first file remains the original. Keys are recorded only if a rule needs them.
    if rules.refusesSameAsset, let asset = attachment.asset,
      let first = assets.updateValue(attachment.id, forKey: asset)
    {
      assets[asset] = first
    }
    if rules.refusesSameContent, let digest = attachment.info.sha256,
      let first = digests.updateValue(attachment.id, forKey: digest)
    {
      digests[digest] = first
    }
  }

  private func original(of id: MediaAttachment.ID, asset: AssetID?, digest: String?) -> MediaAttachment.ID? {
    if ids.contains(id) { return id }
    if rules.refusesSameAsset, let asset, let original = assets[asset] { return original }
    if rules.refusesSameContent, let digest { return digests[digest] }
    return nil
  }
}
