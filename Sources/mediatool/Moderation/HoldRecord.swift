internal import MediaLibrary

/// What was decided about the texts of a moment or a trip, in JSON: keys beside those of the moment or trip.
struct HoldRecord: Encodable {
  let hold: Moderation.Decision?
  let protection: Moderation.Decision?
  /// Number of reports that no moderator has answered.
  let reports: Int
}
