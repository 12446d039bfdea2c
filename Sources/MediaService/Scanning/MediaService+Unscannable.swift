internal import MediaEngine
public import MediaLibrary
internal import MediaModel

/// Files that the malware scanner could not scan, because they are encrypted or too large for it: a moderator looks at them, and accepts or blocks them (R-MYM-26).
extension MediaService {
  /// A file content that waits for a moderator.
  public struct UnscannableItem: Encodable, Sendable {
    /// An attachment with its owner.
    public struct Holder: Encodable, Sendable {
      /// The id of the attachment.
      public var id: String
      /// The name of the owner; nil if the attachment has none.
      public var owner: String?
    }

    /// The SHA-256 of the content.
    public var sha256: String
    /// Why it could not be scanned, such as `encrypted`.
    public var reason: String?
    /// The scanner with its version.
    public var engine: String?
    /// When it was scanned, in seconds since 1970.
    public var time: Int
    /// When it is scanned again, in seconds since 1970; nil if only newer signatures are a reason.
    public var due: Int?
    /// The attachments that have the content, at most 100.
    public var attachments: [Holder]
  }

  /// The contents that could not be scanned and about which no moderator has decided, most recent first.
  /// - Throws: As ``reports(after:limit:for:)``.
  public func unscannable(
    after: String?, limit: Int, for caller: Caller
  ) async throws(ServiceError) -> ModerationPage<UnscannableItem> {
    try await moderationPage(after: after, for: caller) { library, after in
      let page = try library.moderation.unscannable(after: after, limit: limit)
      let items = try page.verdicts.map { verdict in
        let holders = try library.moderation.files(of: verdict.content).prefix(FieldLimits.holders).compactMap { id in
          try library.catalogue.file(id).map { UnscannableItem.Holder(id: "\(id.rawValue)", owner: $0.owner) }
        }
        return UnscannableItem(
          sha256: "\(verdict.content)", reason: verdict.detail, engine: verdict.engine, time: verdict.time,
          due: verdict.due, attachments: holders)
      }
      return ModerationPage(items: items, next: page.next?.rawValue)
    }
  }

  /// Opens the original of a held or blocked attachment for a moderator, by the same rule for metadata as for other readers.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``; `invalidRequest` if a scanner found malware in it;
  ///   ``ServiceError/Code/unavailable`` as ``original(_:for:)``.
  public func original(_ id: FileID, forModerator caller: Caller) async throws(ServiceError) -> OriginalFile {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      guard let found = try await attachment(id, by: .caller(caller)) else { throw ServiceError.notFound }
      let standing = try await library.readModeration { try $0.standing(of: id) }
      if standing?.verdict?.state == .infected {
        throw ServiceError(.invalidRequest, "A scanner found malware in this attachment, so it is not delivered.")
      }
      return try await openOriginal(found, for: .caller(caller))
    }
  }

  /// Accepts an attachment that could not be scanned, with every other one that has its content: others see it as if it were clean. To reject it, block it.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``; `invalidRequest` if the scanner has another result, if the content is
  ///   blocked, and for a reason that is too long.
  public func accept(_ id: FileID, reason: String, by caller: Caller) async throws(ServiceError) -> ModerationState {
    try caller.require(.moderate)
    try check(reason: reason)
    let now = now()
    let content = try await ServiceError.mapping { () async throws -> ContentDigest in
      guard let found = try await attachment(id, by: .caller(caller)) else { throw ServiceError.notFound }
      let standing = try await library.readModeration { try $0.standing(of: id) }
      guard let content = found.file.digest, standing?.verdict?.state == .unscannable, standing?.block == nil else {
        throw ServiceError(
          .invalidRequest, "Only an attachment that could not be scanned and is not blocked can be accepted.")
      }
      return content
    }
    let holds = configuration.scanning?.policy != .allow
    // Its image, if it has one, was not compared with blocked ones while it was held.
    let images = try await ServiceError.mapping { () async throws -> ContentImages? in
      guard holds, configuration.similarImages != .ignore else { return nil }
      return try await hideSimilar(content, except: nil)
    }
    let shown = Locked<[FileID]>([])
    let state = try await moderate(id, by: caller, makesImages: false) { _, moderation in
      try moderation.accept([content], reason: reason, by: caller.owner, at: now)
      let files = try moderation.files(of: content)
      shown.withLock { $0 = files }
      return files
    }
    await makeImages(of: shown.withLock { $0 }, images)
    return state
  }
}
