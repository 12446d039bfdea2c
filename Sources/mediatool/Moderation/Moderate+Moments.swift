internal import ArgumentParser
internal import Foundation
internal import MediaLibrary

/// Decisions about moments without a file.
extension Moderate {
  /// Applies a decision to the moments of the command line, and prints each.
  /// - Returns: Whether the library has all of them; those that it does not have are reported.
  func decideOnMoments(_ library: Library, _ output: ModerationOutput) throws -> Bool {
    let moderation = library.moderation
    let ids = try moment.map { Moment.ID(rawValue: Int64($0)) }.filter { id in
      if try moderation.moment(id) != nil { return true }
      Diagnostics.note("moment \(id.rawValue) is not in the library")
      return false
    }
    let (reason, actor, now) = (reason ?? "", by ?? Self.user, Int(Date().timeIntervalSince1970))
    switch action {
    case .hold: try moderation.hold(moments: ids, reason: reason, by: actor, at: now)
    case .release: try moderation.release(moments: ids, reason: reason, by: actor, at: now)
    case .protect: try moderation.protect(moments: ids, reason: reason, by: actor, at: now)
    case .unprotect: try moderation.unprotect(moments: ids, reason: reason, by: actor, at: now)
    case .dismiss: try moderation.dismissReports(aboutMoments: ids, reason: reason, by: actor, at: now)
    default: break
    }
    for id in ids { try output.write(id) }
    return ids.count == moment.count
  }

  /// Fails for moments and trips where files are expected, and the other way round.
  func checkMoments() throws {
    if action == .hold, moment.isEmpty, trip.isEmpty { throw ValidationError("hold needs --moment or --trip.") }
    if !moment.isEmpty || !trip.isEmpty,
      ![.show, .hold, .release, .protect, .unprotect, .dismiss].contains(action)
    {
      throw ValidationError("--moment and --trip need show, hold, release, protect, unprotect or dismiss.")
    }
  }
}
