public import MediaLibrary

/// Complaints about moments, and what moderators decide about those without an attachment (R-MYM-26).
extension MediaService {
  /// What a moderator sees of a moment that was held, released or protected.
  public struct MomentModerationState: Encodable, Sendable {
    /// The id of the moment, which is in its path (`/v1/moments/{moment}`).
    public var id: String
    /// The name of the moment's owner.
    public var owner: String
    /// Whether its owner alone sees it.
    public var held: Bool
    /// Whether complaints do not hold it.
    public var protected: Bool
  }

  /// Records that a reader complains about a moment. If it has an attachment, the complaint is about the attachment (``report(_:reason:by:)``). As soon as
  /// ``Limits/reportThreshold`` readers complained about a note, its owner alone sees it, until a moderator releases it. Complaints do not hold a note that is
  /// protected, or that was released.
  /// - Parameter reason: For moderators.
  /// - Throws: ``ServiceError/notFound``, also if the caller may not see it; `invalidRequest` for one of the caller's own, and for a reason that is too long.
  public func report(moment id: Moment.ID, reason: String, by caller: Caller) async throws(ServiceError) {
    try check(reason: reason)
    let found = try await moment(id, for: caller)
    // By bytes, as the catalogue distinguishes owners.
    guard !found.owner.utf8.elementsEqual(caller.owner.utf8) else {
      throw ServiceError(.invalidRequest, "Owners cannot report their own moments.")
    }
    if let attachment = found.attachment {
      return try await report(Self.fileID(attachment), reason: reason, by: caller)
    }
    let (now, threshold) = (now(), configuration.limits.reportThreshold)
    try await ServiceError.mapping {
      try await library.moderate { moderation -> Void in
        let isHeld = try moderation.report(
          moment: id, by: caller.owner, reason: reason, at: now, threshold: threshold)
        guard isHeld != nil else { throw ServiceError.notFound }
      }
    }
  }

  /// Holds a moment without an attachment: its owner alone sees it, until it is released.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``; `invalidRequest` for a moment with an attachment, which is
  ///   blocked instead.
  public func hold(
    moment id: Moment.ID, reason: String, by caller: Caller
  ) async throws(ServiceError) -> MomentModerationState {
    try await moderateNote(id, instead: "block", reason: reason, by: caller) { moderation, now in
      try moderation.hold(moments: [id], reason: reason, by: caller.owner, at: now)
    }
  }

  /// Shows a held moment again to whom its owner allows, and answers the complaints about it.
  /// - Throws: ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/notFound``.
  public func release(moment id: Moment.ID, by caller: Caller) async throws(ServiceError) -> MomentModerationState {
    let now = now()
    return try await moderate(id, by: caller) { _, moderation in
      try moderation.release(moments: [id], by: caller.owner, at: now)
    }
  }

  /// Protects a moment without an attachment: complaints do not hold it. Moderators decide about it as about any other.
  /// - Parameter reason: As in ``block(_:reason:similar:by:)``.
  /// - Throws: As ``hold(moment:reason:by:)``; a moment with an attachment is protected with it.
  public func protect(
    moment id: Moment.ID, reason: String, by caller: Caller
  ) async throws(ServiceError) -> MomentModerationState {
    try await moderateNote(id, instead: "protect", reason: reason, by: caller) { moderation, now in
      try moderation.protect(moments: [id], reason: reason, by: caller.owner, at: now)
    }
  }

  /// Ends the protection of a moment without an attachment.
  /// - Throws: As ``protect(moment:reason:by:)``.
  public func unprotect(moment id: Moment.ID, by caller: Caller) async throws(ServiceError) -> MomentModerationState {
    try await moderateNote(id, instead: "unprotect", by: caller) { moderation, now in
      try moderation.unprotect(moments: [id], by: caller.owner, at: now)
    }
  }

  /// Decides about a moment without an attachment.
  /// - Parameter verb: What to do with the attachment instead, if there is one.
  private func moderateNote(
    _ id: Moment.ID, instead verb: String, reason: String = "", by caller: Caller,
    _ decide: @escaping @Sendable (_ moderation: Moderation, _ now: Int) throws -> Void
  ) async throws(ServiceError) -> MomentModerationState {
    try caller.require(.moderate)
    try check(reason: reason)
    let now = now()
    return try await moderate(id, by: caller) { moment, moderation in
      guard moment.file == nil else {
        throw ServiceError(.invalidRequest, "The moment has an attachment; \(verb) the attachment instead.")
      }
      try decide(moderation, now)
    }
  }

  private func moderate(
    _ id: Moment.ID, by caller: Caller, _ decide: @escaping @Sendable (Moment, Moderation) throws -> Void
  ) async throws(ServiceError) -> MomentModerationState {
    try await ServiceError.mapping {
      try caller.require(.moderate)
      return try await library.moderate { moderation in
        guard let moment = try moderation.moment(id) else { throw ServiceError.notFound }
        try decide(moment, moderation)
        let standing = try moderation.standing(ofMoment: id)
        return MomentModerationState(
          id: "\(id.rawValue)", owner: moment.owner, held: standing?.isHeld ?? true,
          protected: standing?.protection != nil)
      }
    }
  }
}
