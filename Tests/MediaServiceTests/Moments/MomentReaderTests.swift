internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("What readers of moments get") struct MomentReaderTests {
  private let anna = Caller(owner: "anna")
  private let friend = Caller(owner: "berta", labels: ["friends:anna"])

  private func note(_ text: String, _ visibility: Moment.Visibility) -> MediaService.NewMoment {
    var note = MediaService.NewMoment(note: text)
    note.visibility = visibility
    return note
  }

  private func id(_ moment: MediaService.MomentAnswer) throws -> Moment.ID {
    Moment.ID(rawValue: try #require(Int64(moment.id)))
  }

  @Test("who sees an attachment through a moment alone gets no name, text or time; who has a label does")
  func facts() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    let file = FileID(rawValue: try #require(Int64(photo)))
    try await service.database.write { db in
      try AttachmentRecord.note(file, owner: "anna", name: "secret.jpg", labels: ["g:42": false], in: db)
    }
    var change = MediaService.AttachmentChange()
    (change.title, change.caption) = (.set("Title"), .set("Caption"))
    #expect(try await service.change(file, change, for: anna).info?.takenAt != nil)
    var new = MediaService.NewMoment(attachment: photo)
    new.visibility = .friends
    _ = try await service.post(new, for: anna)
    for facts in [
      try await service.attachment(file, for: friend),
      try #require(try await service.attachments([file], for: friend).first),
    ] {
      #expect(facts.name == nil)
      #expect(facts.title == nil)
      #expect(facts.caption == nil)
      #expect(facts.time == nil)
      #expect(facts.timeSource == nil)
      #expect(facts.info?.takenAt == nil)
      #expect(facts.info?.width != nil)
      #expect(facts.urls["grid"] != nil)
    }
    let member = Caller(owner: "dora", labels: ["g:42", "friends:anna"])
    let facts = try await service.attachment(file, for: member)
    #expect(facts.name == "secret.jpg")
    #expect(facts.title == "Title")
    #expect(facts.time != nil)
  }

  @Test("no address is signed for a moment that is shown to fewer people while it is listed") func listedMeanwhile()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var new = MediaService.NewMoment(attachment: photo)
    new.visibility = .friends
    let moment = try id(try await service.post(new, for: anna))
    let read = try await service.library.readMoments { moments in
      try moments.newest(Moment.Scope(owners: ["anna"], audience: .friends), after: nil, limit: 10).moments
    }
    #expect(try await service.describe(read, for: friend).map(\.id) == ["\(moment.rawValue)"])
    var change = MediaService.MomentChange()
    change.visibility = .private
    _ = try await service.change(moment, change, for: anna)
    #expect(try await service.describe(read, for: friend).isEmpty)
    #expect(try await service.describe(read, for: anna).count == 1)
  }

  @Test("a moment is created without reading the library, so its id is kept with a key before anything can fail")
  func created() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var gates: [ThreadGate] = []
    for _ in 0..<4 { gates.append(await ThreadGate(holding: service.library.reading)) }
    let created = try await service.create(.init(attachment: photo), for: anna)
    for gate in gates { try await gate.open() }
    #expect(try await service.moment(created, for: anna).attachment == photo)
  }

  @Test("the limit of owners is for those that a request names, not for those of a token") func owners() async throws {
    let service = try await ServiceFixture { $0.limits.batch = 2 }.service
    _ = try await service.post(note("x", .friends), for: anna)
    let caller = Caller(owner: "bob", labels: ["friends:anna", "friends:b", "friends:c"])
    var query = MediaService.MomentQuery()
    query.audience = .friends
    #expect(try await service.moments(query, for: caller).moments.count == 1)
    query.owners = ["anna", "b", "c"]
    #expect(await code { _ = try await service.moments(query, for: caller) } == "invalidRequest")
  }
}
