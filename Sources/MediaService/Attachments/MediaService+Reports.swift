public import MediaLibrary

/// Complaints of readers, and what moderators read of them and of decisions (R-MYM-26).
extension MediaService {
  /// Records that a reader complains about an attachment. As soon as ``Limits/reportThreshold`` readers did, it is quarantined until a moderator releases it, unless it is protected.
  /// - Parameter reason: For moderators.
  /// - Throws: ``ServiceError/notFound``, also if the caller may not view it; `invalidRequest` for one of the caller's own, and for a reason that is too long.
  public func report(_ id: FileID, reason: String, by caller: Caller) async throws(ServiceError) {
    try await ServiceError.mapping {
      try check(reason: reason)
      let found = try await readable(id, by: .caller(caller), right: .view)
      guard !found.isOwner else { throw ServiceError(.invalidRequest, "Owners cannot report their own attachments.") }
      let (now, threshold) = (now(), configuration.limits.reportThreshold)
      try await library.moderate { [self] moderation in
        let isQuarantined = try moderation.report(
          id, by: caller.owner, reason: reason, at: now, threshold: threshold)
        if isQuarantined == true { followOrCut(moderation, id) }
      }
    }
  }

  /// Fails for a reason that is too long.
  func check(reason: String) throws(ServiceError) {
    let limit = configuration.limits.textLength
    let length = reason.unicodeScalars.count
    guard length <= limit else {
      throw ServiceError(
        .invalidRequest, "The reason has \(length) characters; the limit is \(limit).",
        numbers: ["limit": limit, "actual": length])
    }
  }

  /// A page for moderators.
  public struct ModerationPage<Item: Encodable & Sendable>: Encodable, Sendable {
    /// The items, most recent first.
    public var items: [Item]
    /// Where the next page begins; nil on the last page.
    public var next: String?
  }

  /// A complaint of a reader that no moderator has answered.
  public struct ReportItem: Encodable, Sendable {
    /// The id of the attachment; nil if it is about a moment without one or a trip.
    public var id: String?
    /// The id of the moment; nil if it is about an attachment or a trip.
    public var moment: String?
    /// The id of the trip; nil if it is about an attachment or a moment.
    public var trip: String?
    /// Who complains.
    public var reader: String
    /// The reason that the user gave, which is untrusted text.
    public var reason: String
    /// When, in seconds since 1970.
    public var time: Int
  }

  /// A moderation decision.
  public struct AuditItem: Encodable, Sendable {
    /// The number of the decision.
    public var number: Int64
    /// When, in seconds since 1970.
    public var time: Int
    /// Who decided.
    public var actor: String
    /// What was done, such as `block`.
    public var action: String
    /// The SHA-256 of the content that it is about.
    public var sha256: String?
    /// The id of the attachment that it is about.
    public var id: String?
    /// The id of the moment that it is about.
    public var moment: String?
    /// The id of the trip that it is about.
    public var trip: String?
    /// Why it was done, as the moderator stated; nil if nothing was stated or the reason was erased.
    public var reason: String?
    /// How the image looks that it is about: 16 hexadecimal digits.
    public var image: String?
  }

  /// The complaints that no moderator has answered: releasing an attachment or a moment answers them.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope; `invalidRequest` for a position of another list.
  public func reports(after: String?, limit: Int, for caller: Caller) async throws(ServiceError) -> ModerationPage<
    ReportItem
  > {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      let page = try await library.readModeration {
        try $0.reports(after: after.map { CatalogueFile.Cursor(rawValue: $0) }, limit: limit)
      }
      return ModerationPage(
        items: page.reports.map { report in
          ReportItem(
            id: report.file.map { "\($0.rawValue)" }, moment: report.moment.map { "\($0.rawValue)" },
            trip: report.trip.map { "\($0.rawValue)" }, reader: report.reader, reason: report.reason, time: report.time)
        }, next: page.next?.rawValue)
    }
  }

  /// The decisions of moderators, scanners and reports.
  /// - Throws: As ``reports(after:limit:for:)``.
  public func moderationAudit(after: String?, limit: Int, for caller: Caller) async throws(ServiceError)
    -> ModerationPage<AuditItem>
  {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      let page = try await library.readModeration {
        try $0.audit(after: after.map { CatalogueFile.Cursor(rawValue: $0) }, limit: limit)
      }
      return ModerationPage(
        items: page.entries.map { entry in
          AuditItem(
            number: entry.id, time: entry.time, actor: entry.actor, action: entry.action.rawValue,
            sha256: entry.content.map { "\($0)" }, id: entry.file.map { "\($0.rawValue)" },
            moment: entry.moment.map { "\($0.rawValue)" }, trip: entry.trip.map { "\($0.rawValue)" },
            reason: entry.reason,
            image: entry.image.map { "\($0)" })
        }, next: page.next?.rawValue)
    }
  }
}
