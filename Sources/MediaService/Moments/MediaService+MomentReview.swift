internal import FileSupport
public import MediaLibrary
internal import MediaModel

/// The application is asked about a moment when others would see it: when it is posted for them, when its owner shows it to more people, and when its title
/// or caption changes (R-MYM-26). A moment that its owner alone sees is the owner's own affair.
extension MediaService {
  /// A moment that the application is asked about, as it would be.
  public struct ReviewedMoment: Encodable, Sendable {
    /// The kind of content.
    public var kind: Moment.Kind
    /// The title, which is untrusted text; nil for none.
    public var title: String?
    /// The caption, or the text of a note.
    public var caption: String?
    /// Who would see it: friends or everyone.
    public var visibility: Moment.Visibility
  }

  /// The result of asking about a change.
  struct ChangeReview: Sendable {
    /// The version of the moment that was asked about.
    var version: Int
    /// Why the moment is held; nil if it is not.
    var hold: Moderation.Decision?
  }

  /// Asks about a new moment.
  /// - Returns: The moment with the texts that were asked about, and why it is held.
  /// - Throws: `refused`; ``ServiceError/notFound`` for an attachment that is not the caller's.
  func reviewed(
    _ moment: NewMoment, _ attachment: FileID?, for caller: Caller
  ) async throws(ServiceError) -> (moment: NewMoment, hold: Moderation.Decision?) {
    guard configuration.review != nil, moment.visibility != .private else { return (moment, nil) }
    var reviewed = moment
    var question = ReviewQuestion(owner: caller.owner)
    var kind = Moment.Kind.note
    if let attachment {
      let (library, database) = (library.library, database)
      let found = try await ServiceError.mapping {
        try await self.library.readMoments { _ -> CatalogueFile? in
          try Self.requireOwn(attachment, of: caller, library, database)
          return try library.catalogue.file(attachment)
        }
      }
      guard let file = found, let known = Moment.Kind(of: file.kind) else { return (moment, nil) }
      kind = known
      // What the moment would take from its attachment.
      (reviewed.title, reviewed.caption) = (moment.title ?? file.title, moment.caption ?? file.caption)
      question = try await self.question(about: file, of: caller.owner)
    }
    question.moment = ReviewedMoment(
      kind: kind, title: reviewed.title, caption: reviewed.caption, visibility: moment.visibility)
    return (reviewed, try await review(question).map(hold))
  }

  /// Asks about a change of a moment.
  /// - Returns: Nil if no application is asked about anything.
  /// - Throws: `refused`; what the change itself would throw.
  func review(
    _ change: MomentChange, of id: Moment.ID, for caller: Caller
  ) async throws(ServiceError) -> ChangeReview? {
    guard configuration.review != nil else { return nil }
    let found = try await ServiceError.mapping {
      try await library.readMoments { moments in try moments.moment(id, in: .owner(caller.owner)) }
    }
    guard let old = found else { throw .notFound }
    try caller.require(.write)
    try Self.require(change.version, old.version, "moment")
    let visibility = change.visibility ?? old.visibility
    let moment = ReviewedMoment(
      kind: old.kind, title: change.title.value(else: old.title), caption: change.caption.value(else: old.caption),
      visibility: visibility)
    let isOther = moment.title != old.title || moment.caption != old.caption
    guard visibility != .private, isOther || old.visibility.isLess(than: visibility) else {
      return ChangeReview(version: old.version)
    }
    var question = ReviewQuestion(owner: caller.owner)
    if let file = old.file {
      let known = try await ServiceError.mapping { try await library.catalogue.file(file) }
      if let known { question = try await self.question(about: known, of: caller.owner) }
    }
    question.moment = moment
    return ChangeReview(version: old.version, hold: try await review(question).map(hold))
  }

  private func question(
    about file: CatalogueFile, of owner: String
  ) async throws(ServiceError) -> ReviewQuestion {
    let id = file.id
    return try await ServiceError.mapping {
      let name = try await database.read { db in try AttachmentRecord.read(id, db).name }
      return ReviewQuestion(owner: owner, name: name, info: try file.info(), path: file.stamp.path.description)
    }
  }

  private func hold(_ reason: String) -> Moderation.Decision {
    Moderation.Decision(reason: reason, actor: Self.reviewer, time: now())
  }
}

extension Moment.Kind {
  /// The kind of a moment with such a file; nil if there is none.
  fileprivate init?(of kind: MediaKind?) {
    switch kind {
    case .image: self = .photo
    case .video: self = .video
    case .audio: self = .audio
    default: return nil
    }
  }
}

extension MediaService.AttachmentChange.Field where Value == String {
  /// The text after a change.
  fileprivate func value(else old: String?) -> String? {
    switch self {
    case .unchanged: old
    case .removed: nil
    case .set(let text): text
    }
  }
}
