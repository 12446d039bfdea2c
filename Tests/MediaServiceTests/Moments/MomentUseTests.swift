internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Moments of the service") struct MomentUseTests {
  private let anna = Caller(owner: "anna")
  private let friend = Caller(owner: "berta", labels: ["friends:anna"])
  private let other = Caller(owner: "carla", labels: ["friends:berta"])

  private func note(_ text: String, _ visibility: Moment.Visibility = .private) -> MediaService.NewMoment {
    var note = MediaService.NewMoment(note: text)
    note.visibility = visibility
    return note
  }

  private func id(_ moment: MediaService.MomentAnswer) throws -> Moment.ID {
    Moment.ID(rawValue: try #require(Int64(moment.id)))
  }

  @Test("a moment takes what it does not state from its attachment, and a note has a text and no file (R-MYM-2)")
  func posted() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let moment = try await service.post(.init(attachment: photo), for: anna)
    #expect(moment.kind == .photo)
    #expect(moment.attachment == photo)
    #expect(moment.location?.source == .file)
    #expect(moment.visibility == .private)
    #expect(moment.state == .shown)
    #expect(moment.version == 1)
    #expect(moment.urls?["original"] != nil)
    #expect(moment.placeholder != nil)
    var stated = MediaService.NewMoment(attachment: photo)
    (stated.title, stated.time, stated.utcOffset) = ("Ferry", 1_600_000_000, 7_200)
    stated.location = .given(nil)
    let other = try await service.post(stated, for: anna)
    #expect(other.title == "Ferry")
    #expect(other.time == 1_600_000_000)
    #expect(other.utcOffset == 7_200)
    #expect(other.timeSource == .user)
    #expect(other.location == nil)
    let text = try await service.post(note("The ferry was late"), for: anna)
    #expect(text.kind == .note)
    #expect(text.caption == "The ferry was late")
    #expect(text.attachment == nil)
    #expect(text.urls == nil)
    #expect(text.created == fixture.clock.now)
    #expect(try await service.moment(id(text), for: anna).caption == "The ferry was late")
  }

  @Test("an attachment of somebody else, of nobody, blocked or unknown is not found, and nothing is posted")
  func foreignAttachments() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let mine = try await fixture.add("camera-roll/IMG_0001.jpg")
    let others = try await fixture.add("camera-roll/IMG_0002.jpg", owner: "berta")
    let blocked = try await fixture.add("camera-roll/IMG_0003.jpg")
    let number = FileID(rawValue: try #require(Int64(blocked)))
    _ = try await service.block(number, reason: "test", by: Caller(owner: "mod", scope: [.moderate]))
    let nobodys = try await fixture.add("color/palette.png")
    try await service.library.catalogue.assign(
      [FileID(rawValue: try #require(Int64(nobodys)))], owner: nil, collection: .none)
    for attachment in [others, blocked, nobodys, "999999", "x", "01"] {
      #expect(await code { _ = try await service.post(.init(attachment: attachment), for: anna) } == "notFound")
    }
    var inTrip = MediaService.NewMoment(attachment: mine)
    let trip = try await service.add(MediaService.NewTrip(title: "Lake"), for: friend)
    inTrip.trips = [trip.id]
    #expect(await code { _ = try await service.post(inTrip, for: anna) } == "notFound")
    #expect(try await service.moments(.init(), for: anna).moments.isEmpty)
  }

  @Test("what a request states is checked: texts, times, offsets, and a note without a text") func checked()
    async throws
  {
    let fixture = try await ServiceFixture { $0.limits.textLength = 10 }
    let service = fixture.service
    var long = note("short")
    long.title = "eleven char"
    var early = note("x")
    early.time = -62_135_596_801
    var offset = note("x")
    (offset.time, offset.utcOffset) = (0, 61)
    var alone = note("x")
    alone.utcOffset = 60
    for moment in [long, early, offset, alone, note(""), note("eleven char")] {
      #expect(await code { _ = try await service.post(moment, for: anna) } == "invalidRequest")
    }
    let readOnly = Caller(owner: "anna", scope: .read)
    #expect(await code { _ = try await service.post(note("x"), for: readOnly) } == "forbidden")
    let posted = try id(try await service.post(note("x"), for: anna))
    var change = MediaService.MomentChange()
    change.title = .set("eleven char")
    #expect(await code { _ = try await service.change(posted, change, for: anna) } == "invalidRequest")
    change.title = .unchanged
    change.caption = .removed
    #expect(await code { _ = try await service.change(posted, change, for: anna) } == "invalidRequest")
    #expect(await code { _ = try await service.change(posted, .init(), for: readOnly) } == "forbidden")
  }

  @Test("private, friends and public decide who sees a moment, whatever else there is is not found (R-MYM-19)")
  func audiences() async throws {
    let service = try await ServiceFixture().service
    let ids = try await [
      id(service.post(note("private", .private), for: anna)), id(service.post(note("friends", .friends), for: anna)),
      id(service.post(note("public", .public), for: anna)),
    ]
    func seen(by caller: Caller) async -> [String?] {
      var codes: [String?] = []
      for id in ids + [Moment.ID(rawValue: 999_999)] {
        codes.append(await code { _ = try await service.moment(id, for: caller) })
      }
      return codes
    }
    #expect(await seen(by: anna) == [nil, nil, nil, "notFound"])
    #expect(await seen(by: friend) == ["notFound", nil, nil, "notFound"])
    #expect(await seen(by: other) == ["notFound", "notFound", nil, "notFound"])
    func listed(_ audience: Moment.Scope.Audience, _ owners: [String]?, by caller: Caller) async throws -> Set<String> {
      var query = MediaService.MomentQuery()
      (query.audience, query.owners) = (audience, owners)
      return Set(try await service.moments(query, for: caller).moments.compactMap(\.caption))
    }
    #expect(try await listed(.owner, nil, by: anna) == ["private", "friends", "public"])
    #expect(try await listed(.friends, nil, by: friend) == ["friends", "public"])
    #expect(try await listed(.friends, ["anna"], by: anna) == ["friends", "public"])
    #expect(try await listed(.everyone, ["anna"], by: other) == ["public"])
    #expect(try await listed(.friends, ["anna"], by: other).isEmpty)
    #expect(try await listed(.owner, ["anna"], by: friend).isEmpty)
    #expect(await code { _ = try await listed(.everyone, nil, by: anna) } == "invalidRequest")
    // Others see neither how it is shared nor whether it is held.
    let shown = try await service.moment(ids[1], for: friend)
    #expect(shown.state == nil)
    #expect(shown.locationSharing == nil)
  }

  @Test("whoever sees a moment sees its attachment, without the original, until it shows the moment to fewer people")
  func attachments() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let file = FileID(rawValue: try #require(Int64(photo)))
    #expect(await code { _ = try await service.attachment(file, for: friend) } == "notFound")
    var new = MediaService.NewMoment(attachment: photo)
    new.visibility = .friends
    let moment = try id(try await service.post(new, for: anna))
    let seen = try await service.moment(moment, for: friend)
    #expect(seen.urls?["original"] == nil)
    #expect(seen.urls?["grid"] != nil)
    #expect(seen.location == nil)
    let facts = try await service.attachment(file, for: friend)
    #expect(facts.info?.latitude == nil)
    #expect(await code { _ = try await service.original(file, for: .caller(friend)) } == "notFound")
    #expect(await code { _ = try await service.attachment(file, for: other) } == "notFound")
    let generation = try await service.attachment(file, for: anna).own?.generation
    var change = MediaService.MomentChange()
    change.visibility = .private
    _ = try await service.change(moment, change, for: anna)
    #expect(await code { _ = try await service.attachment(file, for: friend) } == "notFound")
    #expect(try await service.attachment(file, for: anna).own?.generation ?? 0 > generation ?? 0)
  }

  @Test("a blocked attachment takes its moments out of every answer") func blocked() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var new = MediaService.NewMoment(attachment: photo)
    new.visibility = .public
    let moment = try id(try await service.post(new, for: anna))
    let moderator = Caller(owner: "mod", scope: [.moderate])
    let file = FileID(rawValue: try #require(Int64(photo)))
    _ = try await service.block(file, reason: "test", by: moderator)
    for caller in [anna, friend, other] {
      #expect(await code { _ = try await service.moment(moment, for: caller) } == "notFound")
    }
    #expect(await code { _ = try await service.attachment(file, for: friend) } == "notFound")
    #expect(try await service.moments(.init(), for: anna).moments.isEmpty)
    _ = try await service.release(file, by: moderator)
    #expect(try await service.moment(moment, for: other).attachment == photo)
  }

  @Test("a change that was made on another version is refused with the present one, and changes nothing (R-MYM-13)")
  func versions() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let moment = try id(try await service.post(note("one"), for: anna))
    fixture.clock.advance(60)
    var change = MediaService.MomentChange()
    (change.caption, change.version) = (.set("two"), 1)
    let changed = try await service.change(moment, change, for: anna)
    #expect(changed.version == 2)
    #expect(changed.changed == changed.created + 60)
    change.caption = .set("three")
    do {
      _ = try await service.change(moment, change, for: anna)
      Issue.record("a stale change was made")
    } catch {
      #expect(error.code == .versionConflict)
      #expect(error.numbers == ["current": 2])
    }
    #expect(await code { _ = try await service.eraseMoment(moment, ifVersion: 1, for: anna) } == "versionConflict")
    #expect(try await service.moment(moment, for: anna).caption == "two")
    for caller in [friend, other] {
      #expect(await code { _ = try await service.change(moment, change, for: caller) } == "notFound")
      #expect(await code { _ = try await service.eraseMoment(moment, for: caller) } == "notFound")
    }
  }

  @Test("moments are listed by time, activity, kind, period and words, in pages (R-MYM-16, R-MYM-17)")
  func listings() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    for (text, time) in [("late ferry", 300), ("early bus", 100), ("late train", 200)] {
      var new = note(text)
      new.time = time
      _ = try await service.post(new, for: anna)
      fixture.clock.advance(10)
    }
    func texts(
      _ change: (inout MediaService.MomentQuery) -> Void = { _ in }, words: String? = nil,
      by order: Moment.Order = .time
    ) async throws -> [String] {
      var query = MediaService.MomentQuery()
      change(&query)
      return try await service.moments(query, matching: words, by: order, for: anna).moments.compactMap(\.caption)
    }
    #expect(try await texts() == ["late ferry", "late train", "early bus"])
    #expect(try await texts(by: .activity) == ["late train", "early bus", "late ferry"])
    #expect(try await texts({ $0.times = 100..<201 }) == ["late train", "early bus"])
    #expect(try await texts({ $0.changedSince = fixture.clock.now - 20 }) == ["late train", "early bus"])
    #expect(try await texts({ $0.kinds = [.photo] }).isEmpty)
    #expect(try await texts(words: "lat") == ["late ferry", "late train"])
    let first = try await service.moments(.init(), limit: 2, for: anna)
    #expect(first.moments.count == 2)
    let second = try await service.moments(.init(), after: first.next, limit: 2, for: anna)
    #expect(second.moments.compactMap(\.caption) == ["early bus"])
    #expect(second.next == nil)
    for limit in [0, 201] {
      #expect(await code { _ = try await service.moments(.init(), limit: limit, for: anna) } == "invalidRequest")
    }
    #expect(await code { _ = try await service.moments(.init(), after: "x", for: anna) } == "invalidRequest")
  }

  @Test("the map of friends has only the locations that their owners show to friends (R-MYM-14, R-MYM-28)")
  func map() async throws {
    let service = try await ServiceFixture().service
    let zurich = try #require(Location(latitude: 47.37, longitude: 8.54, source: .device))
    _ = try await service.library.changeMoments { try $0.setLocationSharing(.friends, of: "anna") }
    for (owner, visibility) in [("anna", Moment.Visibility.friends), ("anna", .private), ("dora", .friends)] {
      var new = note("here", visibility)
      new.location = .given(zurich)
      _ = try await service.post(new, for: Caller(owner: owner))
    }
    var query = MediaService.MomentQuery()
    query.audience = .friends
    let caller = Caller(owner: "berta", labels: ["friends:anna", "friends:dora"])
    // Dora's setting is the default: friends see the moment, not where it was.
    let shown = try await service.momentLocations(in: .world, zoom: 3, query, for: caller)
    #expect(shown.clusters.map(\.count) == [1])
    let cluster = try #require(shown.clusters.first)
    let members = try await service.momentMembers(of: cluster.id.rawValue, query, for: caller)
    #expect(members.moments.map(\.owner) == ["anna"])
    #expect(members.moments.first?.location?.latitude == 47.37)
    #expect(members.moments.first?.offset != nil)
    #expect(cluster.moment == members.moments.first?.id)
    #expect(try await service.momentLocations(in: .world, zoom: 3, query, for: other).clusters.isEmpty)
    let own = try await service.momentLocations(in: .world, zoom: 3, .init(), for: anna)
    #expect(own.clusters.map(\.count) == [2])
    query.audience = .everyone
    query.owners = ["anna"]
    #expect(try await service.momentLocations(in: .world, zoom: 3, query, for: caller).clusters.isEmpty)
  }
}
