internal import Foundation
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Trips of the service") struct TripUseTests {
  private let anna = Caller(owner: "anna")
  private let friend = Caller(owner: "berta", labels: ["friends:anna"])

  private func trip(
    _ title: String, in service: MediaService, change: (inout MediaService.NewTrip) -> Void = { _ in }
  ) async throws -> Trip.ID {
    var new = MediaService.NewTrip(title: title)
    change(&new)
    return Trip.ID(rawValue: try #require(Int64(try await service.add(new, for: anna).id)))
  }

  /// A note in no trip.
  private func note(
    _ text: String, in service: MediaService, at time: Int = 0, offset: Int? = 0,
    _ location: (Double, Double)? = nil, visibility: Moment.Visibility = .private
  ) async throws -> String {
    var new = MediaService.NewMoment(note: text)
    (new.trips, new.time, new.utcOffset, new.visibility) = ([], time, offset, visibility)
    new.location = .given(location.flatMap { Location(latitude: $0.0, longitude: $0.1, source: .device) })
    return try await service.post(new, for: anna).id
  }

  private func texts(_ trip: Trip.ID, in service: MediaService, for caller: Caller? = nil) async throws -> [String] {
    try await service.moments(of: trip, for: caller ?? anna).moments.compactMap(\.caption)
  }

  @Test("what is posted joins the open trip; a trip is ended, opened again and changed (R-MYM-18)") func life()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let lake = try await trip("Lake", in: service)
    _ = try await service.post(.init(note: "joins"), for: anna)
    #expect(try await service.trip(lake, for: anna).moments == 1)
    #expect(try await service.trip(lake, for: anna).started == fixture.clock.now)
    var change = MediaService.TripChange()
    (change.title, change.description, change.ended) = ("Around the lake", .set("By ship"), .set(fixture.clock.now))
    let ended = try await service.change(lake, change, for: anna)
    #expect(ended.title == "Around the lake")
    #expect(ended.description == "By ship")
    #expect(ended.ended == fixture.clock.now)
    _ = try await service.post(.init(note: "does not"), for: anna)
    #expect(try await service.trip(lake, for: anna).moments == 1)
    change = MediaService.TripChange()
    (change.ended, change.description) = (.removed, .removed)
    let opened = try await service.change(lake, change, for: anna)
    #expect(opened.ended == nil)
    #expect(opened.description == nil)
    #expect(opened.title == "Around the lake")
    for title in ["", String(repeating: "x", count: 4_001)] {
      #expect(
        await code { _ = try await service.add(MediaService.NewTrip(title: title), for: anna) } == "invalidRequest")
    }
  }

  @Test("moments are added, moved, removed and arranged; a moment may be in several trips") func order() async throws {
    let service = try await ServiceFixture().service
    let (one, two) = (try await trip("One", in: service), try await trip("Two", in: service))
    let (a, b) = (try await note("a", in: service, at: 30), try await note("b", in: service, at: 10))
    let c = try await note("c", in: service, at: 20)
    _ = try await service.add([a, b], to: one, for: anna)
    let added = try await service.add([c], to: one, before: b, for: anna)
    #expect(added.moments == 3)
    #expect(try await texts(one, in: service) == ["a", "c", "b"])
    _ = try await service.add([b], to: two, for: anna)
    #expect(try await texts(two, in: service) == ["b"])
    var change = MediaService.TripChange()
    change.order = .first([b, a])
    _ = try await service.change(one, change, for: anna)
    #expect(try await texts(one, in: service) == ["b", "a", "c"])
    change.order = .byTime
    _ = try await service.change(one, change, for: anna)
    #expect(try await texts(one, in: service) == ["b", "c", "a"])
    change.title = "Both"
    #expect(await code { _ = try await service.change(one, change, for: anna) } == "invalidRequest")
    let removed = try await service.remove([c], from: one, for: anna)
    #expect(removed.moments == 2)
    #expect(try await service.moment(Moment.ID(rawValue: try #require(Int64(c))), for: anna).caption == "c")
    #expect(await code { _ = try await service.add([c], to: one, ifVersion: 1, for: anna) } == "versionConflict")
    #expect(await code { _ = try await service.remove([a], from: one, ifVersion: 1, for: anna) } == "versionConflict")
    #expect(try await texts(one, in: service) == ["b", "a"])
    let first = try await service.moments(of: one, limit: 1, for: anna)
    let second = try await service.moments(of: one, after: first.next, limit: 1, for: anna)
    #expect((first.moments + second.moments).compactMap(\.caption) == ["b", "a"])
    #expect(second.next == nil)
    #expect(await code { _ = try await service.add([], to: one, for: anna) } == "invalidRequest")
    #expect(await code { _ = try await service.add(["999999"], to: one, for: anna) } == "notFound")
    #expect(await code { _ = try await service.add(["x"], to: one, for: anna) } == "notFound")
  }

  @Test("others see a trip and those of its moments that are shown to them, and change nothing (R-MYM-19)") func seen()
    async throws
  {
    let service = try await ServiceFixture().service
    let open = try await trip("Shown", in: service) { $0.visibility = .friends }
    let closed = try await trip("Closed", in: service)
    let shown = try await note("shown", in: service, visibility: .friends)
    _ = try await service.add([shown, try await note("own", in: service)], to: open, for: anna)
    #expect(try await service.trip(open, for: friend).moments == 1)
    #expect(try await texts(open, in: service, for: friend) == ["shown"])
    let other = Caller(owner: "carla")
    for (id, caller) in [(closed, friend), (open, other), (Trip.ID(rawValue: 999), friend)] {
      #expect(await code { _ = try await service.trip(id, for: caller) } == "notFound")
      #expect(await code { _ = try await service.moments(of: id, for: caller) } == "notFound")
      #expect(await code { _ = try await service.path(of: id, for: caller) } == "notFound")
    }
    #expect(await code { _ = try await service.change(open, .init(), for: friend) } == "notFound")
    #expect(await code { _ = try await service.add([shown], to: open, for: friend) } == "notFound")
    #expect(await code { _ = try await service.remove([shown], from: open, for: friend) } == "notFound")
    let readOnly = Caller(owner: "anna", scope: .read)
    #expect(await code { _ = try await service.change(open, .init(), for: readOnly) } == "forbidden")
    var query = MediaService.MomentQuery()
    query.audience = .friends
    #expect(try await service.trips(query, for: friend).trips.map(\.title) == ["Shown"])
    #expect(try await service.trips(query, for: other).trips.isEmpty)
    #expect(try await service.trips(.init(), by: .title, for: anna).trips.map(\.title) == ["Closed", "Shown"])
    #expect(try await service.trips(.init(), matching: "clo", for: anna).trips.map(\.title) == ["Closed"])
    let first = try await service.trips(.init(), by: .title, limit: 1, for: anna)
    let second = try await service.trips(.init(), by: .title, after: first.next, limit: 1, for: anna)
    #expect((first.trips + second.trips).map(\.title) == ["Closed", "Shown"])
  }

  @Test("the path is GeoJSON with texts as ids, ordered by time, with gaps, of locations that the reader sees")
  func path() async throws {
    let service = try await ServiceFixture().service
    let id = try await trip("Lake", in: service) { $0.visibility = .friends }
    let late = try await note("late", in: service, at: 3_600, (47.4, 8.6), visibility: .friends)
    let early = try await note("early", in: service, at: 0, (47.37, 8.54), visibility: .friends)
    let far = try await note("far", in: service, at: 7_200, (35.68, 139.69), visibility: .friends)
    let nowhere = try await note("nowhere", in: service, at: 10)
    _ = try await service.add([late, early, far, nowhere], to: id, for: anna)
    let json = try JSONDecoder().decode(
      PathDocument.self, from: Data(try ServiceJSON.encode(try await service.path(of: id, for: anna))))
    #expect(json.type == "FeatureCollection")
    #expect(json.features.map(\.properties.moments) == [[early, late], [late, far], [far]])
    #expect(json.features.map(\.properties.gap) == [nil, true, nil])
    #expect(json.features.map(\.geometry.type) == ["LineString", "LineString", "Point"])
    // The setting shows locations to nobody but the owner.
    let shown = try await service.path(of: id, for: friend)
    #expect(shown.features.isEmpty)
    var rules = Trip.Path.Rules()
    rules.gapKilometres = 20_000
    #expect(try await service.path(of: id, rules: rules, for: anna).features.count == 1)
  }

  private struct PathDocument: Decodable {
    struct Feature: Decodable {
      struct Geometry: Decodable { let type: String }
      struct Properties: Decodable {
        let moments: [String]
        let gap: Bool?
      }
      let geometry: Geometry
      let properties: Properties
    }
    let type: String
    let features: [Feature]
  }
}
