internal import ArgumentParser
internal import Foundation
internal import MediaLibrary

/// Decisions about notes, which are moments without a file, and about the texts of trips.
extension Moderate {
  /// Applies a decision to the moments and trips of the command line, and prints each.
  /// - Returns: Whether the library has all of them; those that it does not have are reported.
  func decideOnMomentsAndTrips(_ library: Library, _ output: ModerationOutput) throws -> Bool {
    let moderation = library.moderation
    let moments = try known("moment", moment.map { Moment.ID(rawValue: Int64($0)) }) { try moderation.moment($0) }
    let trips = try known("trip", trip.map { Trip.ID(rawValue: Int64($0)) }) { try moderation.trip($0) }
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    switch action {
    case .hold:
      try moderation.hold(moments: moments, reason: reason, by: actor, at: now)
      try moderation.hold(trips: trips, reason: reason, by: actor, at: now)
    case .release:
      try moderation.release(moments: moments, reason: reason, by: actor, at: now)
      try moderation.release(trips: trips, reason: reason, by: actor, at: now)
    case .protect:
      try moderation.protect(moments: moments, reason: reason, by: actor, at: now)
      try moderation.protect(trips: trips, reason: reason, by: actor, at: now)
    case .unprotect:
      try moderation.unprotect(moments: moments, reason: reason, by: actor, at: now)
      try moderation.unprotect(trips: trips, reason: reason, by: actor, at: now)
    case .dismiss:
      try moderation.dismissReports(aboutMoments: moments, reason: reason, by: actor, at: now)
      try moderation.dismissReports(aboutTrips: trips, reason: reason, by: actor, at: now)
    default: break
    }
    for id in moments { try output.write(id) }
    for id in trips { try output.write(id) }
    return moments.count == moment.count && trips.count == trip.count
  }

  /// The ids that the library has; the others are reported.
  private func known<ID: RawRepresentable, Found>(
    _ noun: String, _ ids: [ID], find: (ID) throws -> Found?
  ) throws -> [ID] where ID.RawValue == Int64 {
    try ids.filter { id in
      if try find(id) != nil { return true }
      Diagnostics.note("\(noun) \(id.rawValue) is not in the library")
      return false
    }
  }

  /// Fails for moments and trips where files are expected, and the other way round.
  func checkMomentsAndTrips() throws {
    if action == .hold, moment.isEmpty, trip.isEmpty { throw ValidationError("hold needs --moment or --trip.") }
    if !moment.isEmpty || !trip.isEmpty,
      ![.show, .hold, .release, .protect, .unprotect, .dismiss].contains(action)
    {
      throw ValidationError("--moment and --trip need show, hold, release, protect, unprotect or dismiss.")
    }
  }
}
