public import MediaLibrary

/// The application is asked about the texts of a trip when others would see them: when it is added for them, when its owner shows it to more people, and when its
/// title or description changes (R-MYM-26).
extension MediaService {
  /// A trip that the application is asked about, as it would be.
  public struct ReviewedTrip: Encodable, Sendable {
    /// The title, which is untrusted text.
    public var title: String
    /// The description, which is untrusted text; nil for none.
    public var description: String?
    /// Who would see it: friends or everyone.
    public var visibility: Moment.Visibility
  }

  /// Asks about a new trip.
  /// - Returns: Why it is held; nil if it is not.
  /// - Throws: `refused`.
  func review(_ trip: NewTrip, for caller: Caller) async throws(ServiceError) -> Moderation.Decision? {
    guard trip.visibility != .private else { return nil }
    return try await review(
      ReviewedTrip(title: trip.title, description: trip.description, visibility: trip.visibility), for: caller)
  }

  /// Asks about a change of a trip.
  /// - Returns: Nil if no application is asked about anything.
  /// - Throws: `refused`; what the change itself would throw.
  func review(
    _ change: TripChange, of id: Trip.ID, for caller: Caller
  ) async throws(ServiceError) -> ChangeReview? {
    guard configuration.review != nil else { return nil }
    let found = try await ServiceError.mapping {
      try await library.readMoments { moments in try moments.trip(id, of: [caller.owner]) }
    }
    guard let old = found else { throw .notFound }
    try caller.require(.write)
    try Self.require(change.version, old.version, "trip")
    var new = ReviewedTrip(
      title: change.title ?? old.title, description: old.description, visibility: change.visibility ?? old.visibility)
    switch change.description {
    case .unchanged: break
    case .removed: new.description = nil
    case .set(let text): new.description = text
    }
    let isOther = new.title != old.title || new.description != old.description
    guard new.visibility != .private, isOther || old.visibility.isLess(than: new.visibility) else {
      return ChangeReview(version: old.version)
    }
    return ChangeReview(version: old.version, hold: try await review(new, for: caller))
  }

  private func review(_ trip: ReviewedTrip, for caller: Caller) async throws(ServiceError) -> Moderation.Decision? {
    var question = ReviewQuestion(owner: caller.owner)
    question.trip = trip
    return try await review(question).map { Moderation.Decision(reason: $0, actor: Self.reviewer, time: now()) }
  }
}
