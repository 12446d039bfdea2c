internal import MediaEngine
internal import MediaLibrary
internal import Testing

@testable internal import MediaService

@Suite("Reviews, reports and holds of trips (R-MYM-26)") struct TripReviewTests {
  private let anna = Caller(owner: "anna")
  private let friend = Caller(owner: "berta", labels: ["friends:anna"])

  private func trip(_ title: String, _ visibility: Moment.Visibility) -> MediaService.NewTrip {
    var trip = MediaService.NewTrip(title: title)
    trip.visibility = visibility
    return trip
  }

  private func id(_ trip: MediaService.TripAnswer) throws -> Trip.ID {
    Trip.ID(rawValue: try #require(Int64(trip.id)))
  }

  @Test("The application is asked when others would see a trip, another text of it, or more people") func asked()
    async throws
  {
    let asked = Locked<[MediaService.ReviewQuestion]>([])
    let service = try await ServiceFixture {
      $0.review = { question in
        asked.withLock { $0.append(question) }
        return .allow
      }
    }.service
    let id = try id(try await service.add(trip("Rain", .private), for: anna))
    var change = MediaService.TripChange()
    change.title = "Snow"
    _ = try await service.change(id, change, for: anna)
    #expect(asked.withLock { $0.isEmpty }, "its owner alone sees it")
    change = MediaService.TripChange()
    change.visibility = .friends
    _ = try await service.change(id, change, for: anna)
    change = MediaService.TripChange()
    change.description = .set("Hail")
    _ = try await service.change(id, change, for: anna)
    change = MediaService.TripChange()
    change.ended = .set(1_700_000_000)
    _ = try await service.change(id, change, for: anna)
    let trips = asked.withLock { $0 }.map(\.trip)
    #expect(trips.map { $0?.title } == ["Snow", "Snow"])
    #expect(trips.map { $0?.description } == [nil, "Hail"])
    #expect(trips.allSatisfy { $0?.visibility == .friends })
    #expect(asked.withLock { $0 }.map(\.owner) == ["anna", "anna"])
  }

  @Test("A refused trip is not added, and a refused change leaves the trip as it was") func refused() async throws {
    let service = try await ServiceFixture {
      $0.review = { $0.trip?.title == "Rain" ? .allow : .refuse(reason: "No snow here.") }
    }.service
    #expect(await code { _ = try await service.add(trip("Snow", .public), for: anna) } == "refused")
    let added = try await service.add(trip("Rain", .public), for: anna)
    var change = MediaService.TripChange()
    change.title = "Snow"
    let id = try id(added)
    let snow = change
    #expect(await code { _ = try await service.change(id, snow, for: anna) } == "refused")
    #expect(try await service.trip(id, for: friend).title == "Rain")
    #expect(try await service.trip(id, for: friend).version == added.version)
  }

  @Test("A held text is seen by the owner alone until a moderator releases it") func held() async throws {
    let service = try await ServiceFixture {
      $0.review = { $0.trip?.title == "Rain" ? .allow : .hold(reason: "look at it") }
    }.service
    let id = try id(try await service.add(trip("Rain", .public), for: anna))
    var change = MediaService.TripChange()
    change.title = "Snow"
    #expect(try await service.change(id, change, for: anna).state == .held)
    #expect(await code { _ = try await service.trip(id, for: friend) } == "notFound")
    #expect(try await service.trip(id, for: anna).title == "Snow")
    let waiting = try await service.heldTrips(after: nil, limit: 9, for: .moderator).items
    #expect(waiting.map(\.title) == ["Snow"])
    #expect(waiting.map(\.actor) == ["review"])
    #expect(try await service.release(trip: id, by: .moderator).held == false)
    #expect(try await service.trip(id, for: friend).title == "Snow")
    let added = try await service.add(trip("Hail", .public), for: anna)
    #expect(added.state == .held)
  }

  @Test("Readers report a trip that they see, not their own; enough reports hold it") func reported() async throws {
    let service = try await ServiceFixture { $0.limits.reportThreshold = 1 }.service
    let id = try id(try await service.add(trip("Rain", .friends), for: anna))
    let other = Caller(owner: "carla")
    #expect(await code { try await service.report(trip: id, reason: "", by: other) } == "notFound")
    #expect(await code { try await service.report(trip: id, reason: "", by: anna) } == "invalidRequest")
    #expect(await code { _ = try await service.hold(trip: id, reason: "", by: anna) } == "forbidden")
    try await service.report(trip: id, reason: "rude", by: friend)
    #expect(await code { _ = try await service.trip(id, for: friend) } == "notFound")
    let reports = try await service.reports(after: nil, limit: 9, for: .moderator).items
    #expect(reports.map(\.trip) == ["\(id.rawValue)"])
    _ = try await service.protect(trip: id, reason: "press", by: .moderator)
    let state = try await service.unprotect(trip: id, by: .moderator)
    #expect(state.held)
    #expect(state.protected == false)
  }
}
