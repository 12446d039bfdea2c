public import MediaLibrary

/// What is hidden, for moderators; and blocks of file content that no attachment has yet (R-MYM-26).
extension MediaService {
  /// An attachment that is in no listing.
  public struct QuarantinedItem: Encodable, Sendable {
    /// The id of the attachment.
    public var id: String
    /// The name of the owner; nil if the attachment has none.
    public var owner: String?
    /// The SHA-256 of its content.
    public var sha256: String?
    /// Whether its content is blocked, whoever uploads it.
    public var isContentBlocked: Bool
    /// The malware that a scan found in it.
    public var malware: String?
    /// Why it is hidden; nil if only a scan hides it.
    public var reason: String?
    /// Who decided.
    public var actor: String?
    /// When, in seconds since 1970.
    public var time: Int?
    /// Number of complaints that no moderator has answered.
    public var reports: Int
  }

  /// A moment that its owner alone sees until a moderator decides, with what a decision needs.
  public struct HeldMomentItem: Encodable, Sendable {
    /// The id by which a moderator decides on the moment.
    public var id: String
    /// The name of the moment's owner.
    public var owner: String
    /// The kind of content.
    public var kind: Moment.Kind
    /// The id of its attachment; nil for a note.
    public var attachment: String?
    /// The title that the owner gave it; nil for none.
    public var title: String?
    /// The caption, or the text of a note.
    public var caption: String?
    /// Whom it would be shown to.
    public var visibility: Moment.Visibility
    /// Why it is held.
    public var reason: String?
    /// Who decided.
    public var actor: String?
    /// When, in seconds since 1970.
    public var time: Int?
    /// Number of complaints that no moderator has answered.
    public var reports: Int
  }

  /// A file content that is blocked.
  public struct BlockedContentItem: Encodable, Sendable {
    /// The SHA-256 of the content in hexadecimal.
    public var sha256: String
    /// Why it is blocked.
    public var reason: String
    /// Who decided.
    public var actor: String
    /// When, in seconds since 1970.
    public var time: Int
  }

  /// Whether a file content is blocked.
  public struct ContentModerationState: Encodable, Sendable {
    /// The SHA-256 of the content in hexadecimal.
    public var sha256: String
    /// Whether every attachment that has it is quarantined.
    public var blocked: Bool
    /// Number of attachments that have it.
    public var attachments: Int
  }

  /// The quarantined attachments of all owners, in the order in which they were added.
  /// - Throws: As ``reports(after:limit:for:)``.
  public func quarantined(
    after: String?, limit: Int, for caller: Caller
  ) async throws(ServiceError) -> ModerationPage<QuarantinedItem> {
    try await moderationPage(after: after, for: caller) { library, after in
      let page = try library.catalogue.files(of: .quarantined, in: .all, after: after, limit: limit)
      let items = try page.files.compactMap { file -> QuarantinedItem? in
        guard let standing = try library.moderation.standing(of: file.id) else { return nil }
        let decision = standing.block ?? standing.quarantine
        let malware = standing.verdict.flatMap { $0.state == .infected ? $0.detail ?? "" : nil }
        return QuarantinedItem(
          id: "\(file.id.rawValue)", owner: file.owner, sha256: standing.content.map { "\($0)" },
          isContentBlocked: standing.block != nil, malware: malware, reason: decision?.reason, actor: decision?.actor,
          time: decision?.time, reports: standing.reports)
      }
      return ModerationPage(items: items, next: page.next?.rawValue)
    }
  }

  /// The held moments of all owners, the last added first.
  /// - Throws: As ``reports(after:limit:for:)``.
  public func heldMoments(
    after: String?, limit: Int, for caller: Caller
  ) async throws(ServiceError) -> ModerationPage<HeldMomentItem> {
    try await moderationPage(after: after, for: caller) { library, after in
      let page = try library.moderation.heldMoments(after: after, limit: limit)
      let items = try page.moments.compactMap { moment -> HeldMomentItem? in
        guard let standing = try library.moderation.standing(ofMoment: moment.id) else { return nil }
        return HeldMomentItem(
          id: "\(moment.id.rawValue)", owner: moment.owner, kind: moment.kind,
          attachment: moment.file.map { "\($0.rawValue)" }, title: moment.title, caption: moment.caption,
          visibility: moment.visibility, reason: standing.hold?.reason, actor: standing.hold?.actor,
          time: standing.hold?.time, reports: standing.reports)
      }
      return ModerationPage(items: items, next: page.next?.rawValue)
    }
  }

  /// The blocked file contents, also those that no attachment has, most recent first.
  /// - Throws: As ``reports(after:limit:for:)``.
  public func blockedContents(
    after: String?, limit: Int, for caller: Caller
  ) async throws(ServiceError) -> ModerationPage<BlockedContentItem> {
    try await moderationPage(after: after, for: caller) { library, after in
      let page = try library.moderation.blocks(after: after, limit: limit)
      let items = page.blocks.map { block in
        BlockedContentItem(
          sha256: "\(block.content)", reason: block.decision.reason, actor: block.decision.actor,
          time: block.decision.time)
      }
      return ModerationPage(items: items, next: page.next?.rawValue)
    }
  }

  /// Blocks a file content by its SHA-256: every attachment that has it, and every later upload of it.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope; `invalidRequest` for a reason that is too long.
  public func block(
    content: ContentDigest, reason: String, by caller: Caller
  ) async throws(ServiceError) -> ContentModerationState {
    try caller.require(.moderate)
    try check(reason: reason)
    return try await moderate(content, isBlocked: true, reason: reason, by: caller)
  }

  /// Ends the block of a file content. Attachments that are quarantined for another reason stay so.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope.
  public func unblock(
    content: ContentDigest, by caller: Caller
  ) async throws(ServiceError) -> ContentModerationState {
    try caller.require(.moderate)
    return try await moderate(content, isBlocked: false, reason: "", by: caller)
  }

  private func moderate(
    _ content: ContentDigest, isBlocked: Bool, reason: String, by caller: Caller
  ) async throws(ServiceError) -> ContentModerationState {
    let (now, actor) = (now(), caller.owner)
    let (state, shown) = try await ServiceError.mapping {
      try await library.moderate { [self] moderation -> (ContentModerationState, [FileID]) in
        if isBlocked {
          _ = try moderation.block(content, reason: reason, by: actor, at: now)
        } else {
          _ = try moderation.unblock(content, by: actor, at: now)
        }
        let files = try moderation.files(of: content)
        let shown = files.filter { followOrCut(moderation, $0) }
        return (ContentModerationState(sha256: "\(content)", blocked: isBlocked, attachments: files.count), shown)
      }
    }
    await makeMissingImages(of: shown)
    return state
  }

  func moderationPage<Item: Encodable & Sendable>(
    after: String?, for caller: Caller,
    _ read: @escaping @Sendable (Library, CatalogueFile.Cursor?) throws -> ModerationPage<Item>
  ) async throws(ServiceError) -> ModerationPage<Item> {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      let library = library.library
      return try await self.library.readModeration { _ in
        try read(library, after.map { CatalogueFile.Cursor(rawValue: $0) })
      }
    }
  }
}
