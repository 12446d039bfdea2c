internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport

@testable internal import MediaLibrary

/// Steps of people who post, and of moderators. Each step follows from its number and from what the library has, so that two libraries that took the same steps have
/// the same; and what each shows to people is one change, complete or not made at all.
struct MomentProgram {
  static let owners = ["ada", "bob", "cleo"]

  let library: Library
  /// A folder for the files that are uploaded.
  let folder: String

  func step(_ number: Int) throws {
    var random = SeededGenerator(seed: UInt64(number))
    let owner = Self.owners[random.below(3)]
    let moments = library.moments
    let own = try moments.newest(.owner(owner), after: nil, limit: 50).moments
    let some = own.isEmpty ? nil : own[random.below(own.count)]
    let trips = try moments.trips(of: [owner], after: nil, limit: 9).trips
    let trip = trips.isEmpty ? nil : trips[random.below(trips.count)]
    switch (random.below(12), some, trip) {
    case (3...4, _, _): try upload(number, owner, digest: random.below(6))
    case (5, let some?, _):
      try moments.change(
        some.id, of: owner, version: some.version, at: number,
        [
          .caption("word\(number)"), .time(number, utcOffset: nil), .location(Self.location(random.below(3))),
          .visibility(Moment.Visibility.allCases[random.below(3)]),
        ])
    case (6, _, nil): try moments.add(Trip.New(owner: owner, title: "trip\(number)", started: number))
    case (6, let some?, let trip?):
      try moments.add([some.id] + own.prefix(3).map(\.id), to: trip.id, of: owner, version: trip.version)
    case (7, _, _):
      guard let content = TestLibrary.digest(random.below(6)) else { return }
      if try library.moderation.block(of: content) == nil {
        try library.moderation.block(content, reason: "r\(number)", by: "mod", at: number)
      } else {
        try library.moderation.unblock(content, by: "mod", at: number)
      }
    case (8, _, let trip?) where number.isMultiple(of: 2):
      if try library.moderation.standing(ofTrip: trip.id)?.isHeld == true {
        try library.moderation.release(trips: [trip.id], by: "mod", at: number)
      } else {
        _ = try library.moderation.report(
          trip: trip.id, by: "reader\(random.below(3))", reason: "r", at: number, threshold: 2)
      }
    case (8, let some?, _):
      _ = try library.moderation.report(
        moment: some.id, by: "reader\(random.below(3))", reason: "r", at: number, threshold: 2)
    case (9, _, _):
      try moments.setLocationSharing(
        Moment.LocationSharing.allCases[random.below(3)], of: owner, applyingToExisting: random.below(2) == 0,
        wiping: false)
    case (10, let some?, let trip):
      if let trip, random.below(2) == 0 {
        try library.erase(.trip(trip.id, owner: owner, withMoments: true), wiping: false)
      } else {
        try library.erase(.moments([some.id], owner: owner), wiping: random.below(4) == 0)
      }
    case (11, _, _) where random.below(4) == 0: try library.erase(.owner(owner), wiping: false)
    default:
      var note = Moment.New(owner: owner, note: "word\(number)", posted: number)
      (note.location, note.visibility) = (.given(Self.location(random.below(3))), .friends)
      try moments.add([note])
    }
  }

  private func upload(_ number: Int, _ owner: String, digest: Int) throws {
    let upload = folder + "/upload"
    try Data("original \(number)".utf8).write(to: URL(fileURLWithPath: upload))
    let stamp = try library.keepOriginal(at: PathBytes(upload), owner: owner)
    let result = FileResult(
      info: TestLibrary.photo(taken: number, at: (1, 2)), digest: TestLibrary.digest(digest), engine: "e")
    try library.scanIndex.apply([.done(stamp, result)])
    guard let file = try library.catalogue.file(at: stamp.path)?.id else { return }
    var moment = Moment.New(owner: owner, file: file, posted: number)
    (moment.caption, moment.visibility) = ("word\(number)", .friends)
    try library.moments.add([moment])
  }

  private static func location(_ number: Int) -> Location? {
    number == 0 ? nil : MomentWorld.place(Double(number), 7)
  }

  /// What people and moderators see, in lines. Ids are not in it: a library that was killed may skip some.
  func census() throws -> [String] {
    var lines: [String] = []
    for owner in Self.owners {
      lines.append("\(owner) shares \(try library.moments.locationSharing(of: owner))")
      for scope in [Moment.Scope.owner(owner), .friends([owner])] {
        let all = try MomentWorld.all { try library.moments.newest(scope, after: $0, limit: 50) }
        for moment in all { lines.append(try "\(scope.audience) \(line(moment))") }
        let map = try library.moments.locations(in: .world, zoom: 3, of: scope)
        lines.append("\(owner) \(scope.audience) map \(map.clusters.map(\.count))")
      }
      for trip in try library.moments.trips(of: [owner], after: nil, limit: 50).trips {
        let members = try MomentWorld.all {
          try library.moments.moments(of: trip.id, of: [owner], after: $0, limit: 50)
        }
        lines.append("\(owner) \(trip.title) v\(trip.version) \(members.map { $0.caption ?? "" })")
      }
    }
    let moderation = library.moderation
    lines += try moderation.blocks(after: nil, limit: 50).blocks.map { "blocked for \($0.decision.reason)" }
    let decisions = try moderation.audit(after: nil, limit: 1).entries.first?.id ?? 0
    return lines + ["\(decisions) decisions"]
  }

  private func line(_ moment: Moment) throws -> String {
    let standing = try library.moderation.standing(ofMoment: moment.id)
    return """
      \(moment.owner) \(moment.kind) \(moment.caption ?? "") \(moment.time) v\(moment.version) \(moment.visibility) \
      \(moment.state) \(moment.location.map { "\($0.latitude)" } ?? "nowhere") \(standing?.reports ?? 0) reports
      """
  }
}
