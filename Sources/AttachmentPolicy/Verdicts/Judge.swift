internal import MediaModel

/// Judges the files of a selection one after another, each beside what has been accepted before it.
struct Judge {
  /// So many bytes are kept for a picture that is to be made smaller, as AOSP Messaging does (MESSAGING §5).
  static let leastImageBytes = 16_384

  let rules: AttachmentRules
  /// Files that count: those in the draft, and those accepted since.
  private(set) var count = 0
  /// Bytes of text and files, pictures that can be made smaller with what is kept for them.
  private(set) var bytes: Int
  /// Bytes of text and files as they are.
  private(set) var wholeBytes: Int
  private var ids: Set<MediaAttachment.ID> = []
  private var assets: [AssetID: MediaAttachment.ID] = [:]
  private var digests: [String: MediaAttachment.ID] = [:]

  init(_ rules: AttachmentRules, text: String, attachments: some Sequence<MediaAttachment>) {
    self.rules = rules
    bytes = text.utf8.count
    wholeBytes = bytes
    for attachment in attachments { take(attachment) }
  }

  /// Places that are left; nil without a limit.
  var remaining: Int? { rules.maxAttachments.map { max(0, $0 - count) } }

  /// The reasons against one more file.
  func reasons(against attachment: MediaAttachment) -> [RefusalReason] {
    var reasons = rules.reasons(against: attachment.info)
    if let original = original(of: attachment) { reasons.append(.duplicate(of: original)) }
    if rules.allowsAttachments, let limit = rules.maxAttachments, count >= limit {
      reasons.append(.tooManyAttachments(limit: limit))
    }
    if let limit = rules.maxMessageBytes {
      let total = bytes.addingSaturated(countedBytes(of: attachment))
      if total > limit { reasons.append(.messageTooLarge(limit: limit, actual: total)) }
    }
    return reasons
  }

  /// From now on the file counts.
  mutating func take(_ attachment: MediaAttachment) {
    count += 1
    bytes = bytes.addingSaturated(countedBytes(of: attachment))
    wholeBytes = wholeBytes.addingSaturated(max(0, attachment.info.bytes))
    ids.insert(attachment.id)
    // The first one stays the original.
    if let asset = attachment.asset, assets[asset] == nil { assets[asset] = attachment.id }
    if let digest = attachment.info.sha256, digests[digest] == nil { digests[digest] = attachment.id }
  }

  /// What a file takes of the message's bytes.
  func countedBytes(of attachment: MediaAttachment) -> Int {
    let bytes = max(0, attachment.info.bytes)
    return rules.shrinks(attachment.info) ? min(bytes, Self.leastImageBytes) : bytes
  }

  private func original(of attachment: MediaAttachment) -> MediaAttachment.ID? {
    if ids.contains(attachment.id) { return attachment.id }
    if rules.refusesSameAsset, let asset = attachment.asset, let original = assets[asset] { return original }
    if rules.refusesSameContent, let digest = attachment.info.sha256 { return digests[digest] }
    return nil
  }
}
