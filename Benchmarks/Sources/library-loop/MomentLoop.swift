internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import Synchronization

/// What people posted: 50 friends with as many moments each, and a person with a tenth of all, who has one long trip.
enum MomentLoop {
  private static let friends = (1...50).map { "friend\($0)" }
  private static let person = "person"
  /// Moments of the trip of the person, whose id is 1.
  private static let tripMoments = 10_000
  private static let trip = Trip.ID(rawValue: 1)

  /// Makes a library with so many moments.
  static func make(at location: LibraryLocation, _ count: Int) throws {
    let moments = try Library.open(at: location, for: .creating).moments
    for owner in friends + [person] { try moments.setLocationSharing(.friends, of: owner) }
    let trip = try moments.add(Trip.New(owner: person, title: "Around the world", started: 1_200_000_000))
    guard trip.id == Self.trip else { throw CocoaError(.fileWriteUnknown) }
    for start in stride(from: 0, to: count, by: 1_000) {
      try moments.add((start..<min(count, start + 1_000)).map { moment($0, in: start < tripMoments ? [trip.id] : []) })
    }
  }

  /// The first tenth is the person's. Of the friends' moments, one in four is on the map of friends.
  private static func moment(_ number: Int, in trips: [Trip.ID]) -> Moment.New {
    let isOwn = number < tripMoments || number % 10 == 0
    var moment = Moment.New(
      owner: isOwn ? person : friends[(number - number / 10) % friends.count],
      note: "A note of the day with some words \(number)",
      posted: 1_700_000_000 + number)
    let (latitude, longitude) = SyntheticFile.location(number)
    moment.location = .given(Location(latitude: latitude, longitude: longitude, altitude: nil, source: .user))
    (moment.time, moment.utcOffset) = (1_200_000_000 + number * 300, 3_600)
    moment.visibility = isOwn || number / friends.count % 4 == 0 ? .friends : .private
    moment.trips = trips
    return moment
  }

  /// A screen of the person's own map.
  static func map(_ location: LibraryLocation, zoom: Int, _ number: Int) throws -> Int {
    try screen(location, .owner(person), zoom: zoom, number)
  }

  /// A screen of the map of all friends.
  static func friendsMap(_ location: LibraryLocation, zoom: Int, _ number: Int) throws -> Int {
    try screen(location, .friends(friends), zoom: zoom, number)
  }

  /// A screen of the map of all friends, of the last 5,000 changes: half of them are the friends'.
  static func recentMap(_ location: LibraryLocation, zoom: Int, _ number: Int) throws -> Int {
    let scope = Moment.Scope(owners: friends, audience: .friends, changedSince: 1_700_000_000 + 995_000)
    return try screen(location, scope, zoom: zoom, number)
  }

  private static let opened = OpenLibrary()

  private static func screen(
    _ location: LibraryLocation, _ scope: Moment.Scope, zoom: Int, _ number: Int
  ) throws -> Int {
    try opened.moments(location).locations(in: SyntheticFile.view(number, zoom: zoom), zoom: zoom, of: scope)
      .clusters.count
  }

  /// The path of the trip, as GeoJSON points.
  static func path(_ location: LibraryLocation) throws -> Int {
    try opened.moments(location).path(of: trip, of: [person])?.count ?? 0
  }

  /// Erases everything of the person, and prints the peak of resident memory in MB.
  static func erase(_ location: LibraryLocation) throws {
    try erase(from: try Library.open(at: location, for: .writing))
  }

  /// Fails if progress is not reported for each thousand moments.
  private static func erase(from library: Library) throws {
    let calls = ProgressCalls()
    let report = try library.erase(.owner(person)) { if $0.step == .moments { calls.count.withLock { $0 += 1 } } }
    guard calls.count.withLock({ $0 }) >= report.moments / 1_000 else { throw CocoaError(.featureUnsupported) }
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    print(report.moments, usage.ru_maxrss / 1_024)
  }

  /// Makes a library in which the person has so many moments, and nobody else any.
  static func makeSingle(at location: LibraryLocation, _ count: Int) throws {
    try fill(try Library.open(at: location, for: .creating), count)
  }

  private static func fill(_ library: Library, _ count: Int) throws {
    try library.moments.setLocationSharing(.friends, of: person)
    for start in stride(from: 0, to: count, by: 1_000) {
      try library.moments.add(
        (start..<min(count, start + 1_000)).map { number in
          var moment = moment(number, in: [])
          moment.owner = person
          return moment
        })
    }
  }

  /// Makes a library with so many photos that a scanner has checked, each a moment. Nine of ten are clean. A thousand contents are shared, so that there are as many verdicts.
  static func makeScanned(at location: LibraryLocation, _ count: Int) throws {
    let library = try Library.open(at: location, for: .creating)
    for owner in friends + [person] { try library.moments.setLocationSharing(.friends, of: owner) }
    for start in stride(from: 0, to: count, by: 1_000) {
      let numbers = start..<min(count, start + 1_000)
      try library.scanIndex.apply(
        numbers.map { number in
          let change = SyntheticFile.change(number)
          guard case .done(let stamp, var result) = change else { return change }
          result.digest = digest(number % 1_000)
          return .done(stamp, result)
        })
      if start == 0 {
        for number in numbers {
          guard let digest = digest(number) else { throw CocoaError(.fileWriteUnknown) }
          let state: Moderation.Verdict.State = number % 10 == 7 ? .unscannable : .clean
          try library.moderation.record(Moderation.Verdict(digest, state, at: 1_700_000_000))
        }
      }
      try library.moments.add(
        numbers.map { number in
          guard let file = try library.catalogue.file(at: SyntheticFile.stamp(number).path) else {
            throw CocoaError(.fileReadNoSuchFile)
          }
          var moment = moment(number, in: [])
          moment.file = file.id
          return moment
        })
    }
  }

  private static func digest(_ number: Int) -> ContentDigest? {
    ContentDigest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 2))) })
  }

  /// Makes a library in which the person has so many moments and nobody else any, with a copy that has a snapshot of it.
  static func makeOwned(in folder: String, _ count: Int) throws {
    let library = try openOwned(in: folder, for: .creating)
    try fill(library, count)
    _ = try library.backUp()
    try library.close()
  }

  /// Erases everything of the person from a copy of such a library, with its snapshot, and removes the copy. Prints the peak of resident memory in MB.
  static func eraseOwned(in folder: String) throws {
    let copy = folder + "-erased"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    let library = try openOwned(in: copy, for: .writing)
    try erase(from: library)
    try library.close()
    try FileManager.default.removeItem(atPath: copy)
  }

  private static func openOwned(in folder: String, for access: Library.Access) throws -> Library {
    var options = Library.Options()
    options.copy = PathBytes(folder + "/copy")
    return try Library.open(at: LibraryLocation(folder: PathBytes(folder + "/library")), for: access, options: options)
  }

  /// A search of so many hashes of images.
  static func similar(_ count: Int) -> () -> Int {
    var index = Moderation.ImageIndex()
    var bits: UInt64 = 1
    for number in 0..<count {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      index.add(FileID(rawValue: Int64(number)), Moderation.ImageHash(bits: bits))
    }
    return {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return index.files(like: Moderation.ImageHash(bits: bits)).count
    }
  }

  /// Counts the reports of progress.
  private final class ProgressCalls: Sendable {
    let count = Mutex(0)
  }

  /// One library, opened once, as the service opens it if it has a scanner.
  private final class OpenLibrary: @unchecked Sendable {
    // The loop has one thread.
    private var library: Library?

    func moments(_ location: LibraryLocation) throws -> Moments {
      if let library { return library.moments }
      var options = Library.Options()
      options.showsOnlyClean = true
      let opened = try Library.open(at: location, for: .reading, options: options)
      library = opened
      return opened.moments
    }
  }
}
