internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

extension ScanningTests {
  @Test(
    "A friend finds no photo that is not clean by its moment: neither place, title nor placeholder, by any route",
    arguments: ["pending", "unscannable", "infected", "blocked"])
  func moments(of cause: String) async throws {
    let kit = try await open()
    let service = kit.service
    _ = try await service.setLocationSharing(.friends, for: UploadKit.ada)
    var new = MediaService.NewTrip(title: "Lake")
    new.visibility = .friends
    let trip = Trip.ID(rawValue: try #require(Int64(try await service.add(new, for: UploadKit.ada).id)))
    func post(_ bytes: [UInt8], _ title: String) async throws -> (file: FileID, moment: Moment.ID) {
      let file = try await upload(kit, bytes).id
      var moment = MediaService.NewMoment(attachment: "\(file.rawValue)")
      (moment.title, moment.caption, moment.visibility) = (title, "rude", .friends)
      moment.location = .given(Location(latitude: 46, longitude: 7, source: .device))
      return (file, try await service.create(moment, for: UploadKit.ada))
    }
    let photo = try UploadKit.photo()
    _ = try await post(photo, "Kind")
    scanner.isAway = cause == "pending"
    let unclean = try await post(photo + [0], "Quokka")
    let own = try await service.momentLocations(in: .world, zoom: 3, MediaService.MomentQuery(), for: UploadKit.ada)
    let reads = FriendReads(
      service: service, friend: Caller(owner: "bob", labels: ["friends:ada"]), moment: unclean.moment, trip: trip,
      cluster: try #require(own.clusters.first).id)
    #expect(own.clusters.map(\.count) == [2])
    if cause != "pending" { #expect(try await reads.text().contains("Quokka")) }
    switch cause {
    case "unscannable": scanner.find(signatures: 2) { $0 == photo ? .clean : .unscannable(.encrypted) }
    case "infected": scanner.find(signatures: 2) { $0 == photo ? .clean : .infected(name: "Eicar") }
    case "blocked": _ = try await service.block(unclean.file, reason: "law", by: .moderator)
    default: break
    }
    _ = try await service.sweepScans(everything: true)
    var expected = try await reads.counts().mapValues { _ in 1 }
    expected["moment"] = 0
    #expect(try await reads.counts() == expected)
    #expect(try await !reads.text().contains("Quokka"))
  }

  /// Posts a photo for friends while the scanner is away.
  private func postHeld(_ kit: UploadKit) async throws -> Moment.ID {
    scanner.isAway = true
    let file = try await upload(kit).id
    var new = MediaService.NewMoment(attachment: "\(file.rawValue)")
    new.visibility = .friends
    return try await kit.service.create(new, for: UploadKit.ada)
  }

  /// The moments that changed since a friend's last visit.
  private func changes(since time: Int, _ kit: UploadKit) async throws -> [String] {
    var query = MediaService.MomentQuery()
    (query.audience, query.owners, query.changedSince) = (.friends, ["ada"], time)
    return try await kit.service.moments(query, for: Caller(owner: "bob", labels: ["friends:ada"])).moments.map(\.id)
  }

  @Test("A friend finds a photo among those that changed since the last visit, when it was found clean after that")
  func changed() async throws {
    let kit = try await open()
    let moment = try await postHeld(kit)
    kit.advance(100)
    let visit = kit.time.withLock { $0 }
    #expect(try await changes(since: visit, kit).isEmpty)
    kit.advance(100)
    scanner.isAway = false
    _ = try await kit.service.sweepScans(everything: true)
    #expect(try await changes(since: visit, kit) == ["\(moment.rawValue)"])
  }

  @Test("A friend whose last visit was during the scan finds the photo among those that changed")
  func changedDuringScan() async throws {
    let kit = try await open()
    let moment = try await postHeld(kit)
    kit.advance(100)
    let visit = kit.time.withLock { $0 } + 200
    scanner.find { _ in
      kit.advance(300)
      return .clean
    }
    scanner.isAway = false
    _ = try await kit.service.sweepScans(everything: true)
    #expect(try await changes(since: visit, kit) == ["\(moment.rawValue)"])
  }
}
