internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

@Suite("Locations and profile images of the service") struct LocationAnswerTests {
  private let anna = Caller(owner: "anna")

  private func row(
    _ fixture: ServiceFixture, _ name: String, _ latitude: Double, _ longitude: Double, owner: String = "anna",
    time: Int = 1_600_000_000
  ) async throws -> String {
    try await fixture.addRow(name, owner: owner, time: time) { ($0.latitude, $0.longitude) = (latitude, longitude) }
  }

  @Test("the map has clusters of the caller's files alone, and opens into them (R-MYM-14, R-MYM-15, R-MYM-16)")
  func clusters() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let zurich = [try await row(fixture, "a", 47.37, 8.54), try await row(fixture, "b", 47.38, 8.55)]
    let tokyo = try await row(fixture, "c", 35.68, 139.69, time: 1_650_000_000)
    _ = try await row(fixture, "d", 47.37, 8.54, owner: "berta")
    try await fixture.addRow("nowhere", time: 1)

    let world = try await service.locations(in: .world, zoom: 3, for: anna)
    #expect(world.clusters.map(\.count).sorted() == [1, 2])
    let single = try #require(world.clusters.first { $0.count == 1 })
    #expect(single.attachment == tokyo)
    #expect(single.thumbnail?.hasPrefix("/v1/attachments/\(tokyo)/") == true)
    let pair = try #require(world.clusters.first { $0.count == 2 })
    let members = try await service.members(of: pair.id.rawValue, for: anna)
    #expect(Set(members.members.map(\.id)) == Set(zurich))
    #expect(members.members.allSatisfy { $0.offset != nil && $0.latitude != nil })
    let first = try await service.members(of: pair.id.rawValue, limit: 1, for: anna)
    let second = try await service.members(of: pair.id.rawValue, after: first.next, limit: 1, for: anna)
    #expect((first.members + second.members).map(\.id) == members.members.map(\.id))
    #expect(second.next == nil)

    let europe = try #require(LocationMap.Bounds(south: 35, west: -10, north: 60, east: 30))
    #expect(try await service.locations(in: europe, zoom: 3, for: anna).clusters.map(\.count) == [2])
    #expect(
      try await service.locations(in: .world, zoom: 3, times: 1_640_000_000..<1_660_000_000, for: anna).clusters.count
        == 1)
    #expect(try await service.locations(in: .world, zoom: 3, for: Caller(owner: "carla")).clusters.isEmpty)
    #expect(try await service.members(of: pair.id.rawValue, for: Caller(owner: "berta")).members.count == 1)
  }

  @Test("an invalid cluster, cursor or zoom is an error") func refused() async throws {
    let service = try await ServiceFixture().service
    for id in ["", "x", "99.1", "6.-1", "6.99999999999999999999"] {
      #expect(await code { _ = try await service.members(of: id, for: anna) } == "invalidRequest")
    }
    #expect(await code { _ = try await service.members(of: "6.1", after: "x", for: anna) } == "invalidRequest")
    #expect(await code { _ = try await service.locations(in: .world, zoom: 21, for: anna) } == "invalidRequest")
    #expect(await code { _ = try await service.members(of: "6.1", limit: 0, for: anna) } == "invalidRequest")
  }

  @Test("a profile has one square image, which can be replaced and removed (R-CHAT-14)") func avatar() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    #expect(await code { _ = try await service.avatar(of: anna) } == "notFound")
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let small = try await fixture.add("color/palette.png")
    try await service.setAvatar(photo, for: anna)
    let first = try await service.avatar(of: anna)
    #expect(first.type == .webp)
    #expect(first.attachment == photo)
    for (attachment, bytes) in [(photo, first.bytes)] {
      let info = try await service.engine.probe(.bytes(bytes))
      #expect(info.displaySize == PixelSize(width: 128, height: 128), "\(attachment)")
    }
    try await service.setAvatar(small, crop: PixelRect(x: 0, y: 0, width: 8, height: 16), for: anna)
    let second = try await service.avatar(of: anna)
    #expect(second.attachment == small)
    #expect(second.bytes != first.bytes)
    #expect(try await service.engine.probe(.bytes(second.bytes)).displaySize == PixelSize(width: 128, height: 128))
    #expect(
      await code { try await service.setAvatar(small, crop: PixelRect(x: 0, y: 0, width: 9_999, height: 1), for: anna) }
        == "invalidRequest")
    #expect(await code { try await service.setAvatar(small, for: Caller(owner: "berta")) } == "notFound")
    #expect(await code { _ = try await service.avatar(of: Caller(owner: "berta")) } == "notFound")
    let number = FileID(rawValue: try #require(Int64(small)))
    // Made when it was set: nobody decodes it again.
    let path = try #require(try await service.library.catalogue.file(number)).stamp.path
    try FileManager.default.removeItem(atPath: path.description)
    #expect(try await service.avatar(of: anna).bytes == second.bytes)
    _ = try await service.library.erase(.file(number), wiping: false)
    #expect(await code { _ = try await service.avatar(of: anna) } == "notFound")
    try await service.removeAvatar(of: anna)
    try await service.removeAvatar(of: anna)
  }
}
