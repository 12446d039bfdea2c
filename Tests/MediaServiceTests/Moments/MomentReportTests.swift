internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Complaints about moments") struct MomentReportTests {
  private let anna = Caller(owner: "anna")
  private let friend = Caller(owner: "berta", labels: ["friends:anna"])

  /// The id of a note for friends, on the map.
  private func post(_ service: MediaService, trips: [String]? = nil) async throws -> Moment.ID {
    _ = try await service.setLocationSharing(.friends, for: anna)
    var note = MediaService.NewMoment(note: "Rude words")
    (note.visibility, note.trips) = (.friends, trips)
    note.location = .given(Location(latitude: 46, longitude: 7, source: .device))
    return try await service.create(note, for: anna)
  }

  @Test("Reports of enough readers hold a note: others find it by no route, its owner does, until it is released")
  func held() async throws {
    let service = try await ServiceFixture { $0.limits.reportThreshold = 2 }.service
    var new = MediaService.NewTrip(title: "Lake")
    new.visibility = .friends
    let trip = Trip.ID(rawValue: try #require(Int64(try await service.add(new, for: anna).id)))
    let id = try await post(service, trips: ["\(trip.rawValue)"])
    let own = try await service.momentLocations(in: .world, zoom: 3, MediaService.MomentQuery(), for: anna)
    let reads = FriendReads(
      service: service, friend: friend, moment: id, trip: trip, cluster: try #require(own.clusters.first).id)
    let shown = try await reads.counts()
    #expect(shown.values.allSatisfy { $0 == 1 }, "\(shown)")
    let hidden = shown.mapValues { _ in 0 }
    try await service.report(moment: id, reason: "rude", by: friend)
    try await service.report(moment: id, reason: "very rude", by: friend)
    #expect(try await reads.counts() == shown)
    let reports = try await service.reports(after: nil, limit: 9, for: .moderator)
    #expect(reports.items.map(\.moment) == ["\(id.rawValue)"])
    #expect(reports.items.map(\.id) == [nil])
    #expect(reports.items.map(\.reason) == ["very rude"])
    try await service.report(moment: id, reason: "rude", by: Caller(owner: "cleo", labels: ["friends:anna"]))
    #expect(try await reads.counts() == hidden)
    #expect(try await !reads.text().contains("Rude"))
    #expect(await code { _ = try await service.moment(id, for: friend) } == "notFound")
    #expect(
      await code { try await service.report(moment: id, reason: "r", by: friend) } == "notFound",
      "as if it did not exist")
    #expect(try await service.moment(id, for: anna).state == .held)
    #expect(try await service.moments(of: trip, for: anna).moments.count == 1)

    let state = try await service.release(moment: id, by: .moderator)
    #expect(!state.held)
    #expect(state.owner == "anna")
    #expect(try await reads.counts() == shown)
    #expect(try await service.reports(after: nil, limit: 9, for: .moderator).items.isEmpty)
    #expect(try await service.hold(moment: id, reason: "names a child", by: .moderator).held)
    #expect(try await reads.counts() == hidden)
    let audit = try await service.moderationAudit(after: nil, limit: 9, for: .moderator)
    #expect(audit.items.map(\.action) == ["hold", "dismiss", "release", "hold"])
    #expect(audit.items.map(\.moment) == Array(repeating: "\(id.rawValue)", count: 4))
    #expect(audit.items.allSatisfy { $0.id == nil })
    #expect(audit.items.last?.actor == "reports")
  }

  @Test("Reports do not hold a protected note; a moderator protects it, and one with an attachment by its attachment")
  func protected() async throws {
    let fixture = try await ServiceFixture { $0.limits.reportThreshold = 1 }
    let service = fixture.service
    let id = try await post(service)
    let state = try await service.protect(moment: id, reason: "press", by: .moderator)
    #expect(state.protected)
    #expect(!state.held)
    try await service.report(moment: id, reason: "rude", by: friend)
    #expect(await code { _ = try await service.moment(id, for: friend) } == nil)
    #expect(try await !service.unprotect(moment: id, by: .moderator).protected)
    try await service.report(moment: id, reason: "very rude", by: friend)
    #expect(await code { _ = try await service.moment(id, for: friend) } == "notFound")
    let audit = try await service.moderationAudit(after: nil, limit: 9, for: .moderator)
    #expect(audit.items.map(\.action) == ["hold", "unprotect", "protect"])
    #expect(audit.items.map(\.moment) == Array(repeating: "\(id.rawValue)", count: 3))

    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var new = MediaService.NewMoment(attachment: photo)
    new.visibility = .friends
    let moment = try await service.create(new, for: anna)
    let file = FileID(rawValue: try #require(Int64(photo)))
    #expect(
      await code { _ = try await service.protect(moment: moment, reason: "", by: .moderator) } == "invalidRequest")
    #expect(try await service.protect(file, reason: "press", by: .moderator).protected)
    try await service.report(moment: moment, reason: "rude", by: friend)
    #expect(try await service.attachment(file, for: anna).own?.isBlocked == false)
    #expect(try await !service.unprotect(file, by: .moderator).protected)
    for caller in [anna, friend] {
      #expect(await code { _ = try await service.protect(moment: id, reason: "", by: caller) } == "forbidden")
      #expect(await code { _ = try await service.unprotect(file, by: caller) } == "forbidden")
    }
  }

  @Test("A report about a moment with an attachment is about the attachment") func attachment() async throws {
    let fixture = try await ServiceFixture { $0.limits.reportThreshold = 2 }
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var new = MediaService.NewMoment(attachment: photo)
    new.visibility = .friends
    let id = try await service.create(new, for: anna)
    let file = FileID(rawValue: try #require(Int64(photo)))
    #expect(await code { _ = try await service.hold(moment: id, reason: "r", by: .moderator) } == "invalidRequest")
    try await service.report(moment: id, reason: "rude", by: friend)
    try await service.report(file, reason: "rude", by: Caller(owner: "cleo", labels: ["friends:anna"]))
    #expect(await code { _ = try await service.moment(id, for: friend) } == "notFound")
    #expect(try await service.attachment(file, for: anna).own?.isBlocked == true)
  }

  @Test("Who may not see a moment reports nothing, its owner cannot report it, and only moderators decide")
  func refused() async throws {
    let service = try await ServiceFixture().service
    let id = try await post(service)
    for (caller, expected) in [(anna, "invalidRequest"), (Caller(owner: "eve"), "notFound")] {
      #expect(await code { try await service.report(moment: id, reason: "r", by: caller) } == expected)
    }
    let long = String(repeating: "a", count: 4_001)
    #expect(await code { try await service.report(moment: id, reason: long, by: friend) } == "invalidRequest")
    #expect(try await service.reports(after: nil, limit: 9, for: .moderator).items.isEmpty)
    let unknown = Moment.ID(rawValue: 99)
    #expect(await code { _ = try await service.release(moment: unknown, by: .moderator) } == "notFound")
    #expect(await code { _ = try await service.hold(moment: id, reason: "r", by: friend) } == "forbidden")
    #expect(await code { _ = try await service.release(moment: id, by: anna) } == "forbidden")
  }
}
