internal import FileSupport
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Moments of files that are not clean (R-MYM-26)") struct UncleanMomentTests {
  /// Why a file that was clean is not any more.
  enum Cause: String, CaseIterable {
    case unscanned, pending, unscannable, infected, blocked, quarantined

    /// Whether its owner sees the moment.
    var isHeld: Bool { [.unscanned, .pending, .unscannable].contains(self) }
  }

  /// A library that shows others only what is clean, with two clean photos at one place in a trip.
  private func makeReads() throws -> (reads: MomentReads, library: Library, world: MomentWorld, file: FileID) {
    let world = try MomentWorld()
    try world.test.catalogue.apply(
      (1...2).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0, at: (46, 7), digest: $0) })
    var options = world.library.options
    options.showsOnlyClean = true
    try world.library.close()
    let library = try Library.open(at: world.library.location, for: .writing, options: options)
    try library.moments.setLocationSharing(.friends, of: "ada")
    var trip = Trip.New(owner: "ada", title: "Lake", started: 1)
    trip.visibility = .public
    let id = try library.moments.add(trip).id
    let files = try (1...2).map { number in
      try #require(try library.catalogue.file(at: PathBytes("/r/\(number).jpg"))).id
    }
    let moments = try library.moments.add(
      files.map { file in
        var new = Moment.New(owner: "ada", file: file, posted: 1)
        (new.caption, new.visibility, new.trips) = ("kind words", .public, [id])
        return new
      })
    for number in 1...2 {
      try library.moderation.record(Moderation.Verdict(#require(TestLibrary.digest(number)), .clean, at: 1))
    }
    let reads = MomentReads(moments: library.moments, owner: "ada", moment: moments[0], trip: id)
    return (reads, library, world, files[0])
  }

  @Test(
    "No read of others has a moment whose file is not clean, for any reason, until it is clean again",
    arguments: Cause.allCases)
  func others(cause: Cause) throws {
    let (reads, library, world, file) = try makeReads()
    defer { withExtendedLifetime(world) {} }
    let moderation = library.moderation
    let audiences: [Moment.Scope.Audience] = [.friends, .everyone]
    let before = try audiences.map(reads.counts)
    #expect(before[0].filter { $0.value != 2 } == ["moment": 1])
    // No location is shown to everyone.
    let withLocations = ["map", "map of kinds", "map of times", "members", "moment", "path"]
    #expect(before[1].filter { $0.value != 2 }.keys.sorted() == withLocations)
    #expect(try audiences.map { try library.moments.shows(file, of: "ada", to: $0) } == [true, true])
    let own = try reads.counts(.owner)
    let (first, second) = (try #require(TestLibrary.digest(1)), try #require(TestLibrary.digest(3)))
    func replace() throws {
      let stamp = TestLibrary.done("/r/1.jpg", inode: 1, second: 2_000, taken: 1, at: (46, 7), digest: 3)
      try library.scanIndex.apply([stamp])
    }
    switch cause {
    case .unscanned: try replace()
    case .pending:
      try replace()
      try moderation.record(Moderation.Verdict(second, .pending, at: 2))
    case .unscannable: try moderation.record(Moderation.Verdict(first, .unscannable, detail: "encrypted", at: 2))
    case .infected: try moderation.record(Moderation.Verdict(first, .infected, detail: "Eicar", signatures: 2, at: 2))
    case .blocked: try moderation.block(first, reason: "law", by: "mod", at: 2)
    case .quarantined: try moderation.quarantine([file], reason: "rude", by: "mod", at: 2)
    }
    #expect(try audiences.map(reads.counts) == before.map(MomentReads.hidden))
    #expect(try audiences.map { try library.moments.shows(file, of: "ada", to: $0) } == [false, false])
    #expect(try reads.counts(.owner) == (cause.isHeld ? own : MomentReads.hidden(own)))
    let since = Moment.Scope(owners: ["ada"], audience: .friends, changedSince: 3)
    #expect(try library.moments.newest(since, after: nil, limit: 9).moments.isEmpty)

    switch cause {
    case .unscanned, .pending: try moderation.record(Moderation.Verdict(second, .clean, at: 3))
    case .unscannable: try moderation.record(Moderation.Verdict(first, .clean, at: 3))
    case .infected: try moderation.record(Moderation.Verdict(first, .clean, signatures: 3, at: 3))
    case .blocked: try moderation.unblock(first, by: "mod", at: 3)
    case .quarantined: try moderation.release([file], by: "mod", at: 3)
    }
    #expect(try audiences.map(reads.counts) == before)
    // Who read before finds it by what changed.
    #expect(try library.moments.newest(since, after: nil, limit: 9).moments.map(\.id) == [reads.moment])
  }
}
