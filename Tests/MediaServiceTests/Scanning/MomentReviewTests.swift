internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Reviews of moments by the application (R-MYM-26)") struct MomentReviewTests {
  private let anna = Caller(owner: "anna")
  private let friend = Caller(owner: "berta", labels: ["friends:anna"])

  private func note(_ text: String, _ visibility: Moment.Visibility) -> MediaService.NewMoment {
    var note = MediaService.NewMoment(note: text)
    note.visibility = visibility
    return note
  }

  private func change(
    caption: String? = nil, _ visibility: Moment.Visibility? = nil
  ) -> MediaService.MomentChange {
    var change = MediaService.MomentChange()
    if let caption { change.caption = .set(caption) }
    change.visibility = visibility
    return change
  }

  @Test("The application is asked when others would see a moment, another text of it, or more people") func asked()
    async throws
  {
    let asked = Locked<[MediaService.ReviewQuestion]>([])
    let fixture = try await ServiceFixture {
      $0.review = { question in
        asked.withLock { $0.append(question) }
        return .allow
      }
    }
    let service = fixture.service
    let id = try await service.create(note("Rain", .private), for: anna)
    _ = try await service.change(id, change(caption: "Snow"), for: anna)
    #expect(asked.withLock { $0.isEmpty }, "its owner alone sees it")
    _ = try await service.change(id, change(.friends), for: anna)
    _ = try await service.change(id, change(caption: "Hail"), for: anna)
    var time = MediaService.MomentChange()
    time.time = 1_600_000_000
    _ = try await service.change(id, time, for: anna)
    _ = try await service.change(id, change(.public), for: anna)
    _ = try await service.change(id, change(.private), for: anna)
    let moments = asked.withLock { $0 }.map(\.moment)
    #expect(moments.map { $0?.caption } == ["Snow", "Hail", "Hail"])
    #expect(moments.map { $0?.visibility } == [.friends, .friends, .public])
    #expect(moments.allSatisfy { $0?.kind == .note })
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var posted = MediaService.NewMoment(attachment: photo)
    (posted.title, posted.visibility) = ("Ferry", .public)
    _ = try await service.create(posted, for: anna)
    let last = asked.withLock { $0 }.last
    #expect(last?.owner == "anna")
    #expect(last?.info?.type == .jpeg)
    #expect(last?.path != nil)
    #expect(last?.moment?.kind == .photo)
    #expect(last?.moment?.title == "Ferry")
  }

  @Test("A refused moment is not posted, and a refused change leaves the moment as it was") func refused()
    async throws
  {
    let service = try await ServiceFixture {
      $0.review = { $0.moment?.caption == "Rain" ? .allow : .refuse(reason: "No snow here.") }
    }.service
    do throws(ServiceError) {
      _ = try await service.create(note("Snow", .public), for: anna)
      Issue.record("it was posted")
    } catch {
      #expect(error.code == .refused)
      #expect(error.message == "No snow here.")
    }
    let id = try await service.create(note("Rain", .public), for: anna)
    let snow = change(caption: "Snow")
    #expect(await AttachmentLibrary.code { _ = try await service.change(id, snow, for: anna) } == .refused)
    let moment = try await service.moment(id, for: friend)
    #expect(moment.caption == "Rain")
    #expect(moment.version == 1)
  }

  @Test("A held moment is seen by its owner alone until a moderator releases it, also one with an attachment")
  func held() async throws {
    struct Broken: Error {}
    let fixture = try await ServiceFixture {
      $0.review = { question in
        if question.moment?.caption == "fails" { throw Broken() }
        return question.moment?.caption == "fine" ? .allow : .hold(reason: "look at this")
      }
    }
    let service = fixture.service
    var photo = MediaService.NewMoment(attachment: try await fixture.add("camera-roll/IMG_0001.jpg"))
    photo.visibility = .friends
    let changed = try await service.create(note("fine", .friends), for: anna)
    #expect(try await service.moment(changed, for: friend).caption == "fine")
    _ = try await service.change(changed, change(caption: "fails"), for: anna)
    let ids = [
      try await service.create(photo, for: anna), try await service.create(note("rude", .public), for: anna), changed,
    ]
    for (id, reason) in zip(ids, ["look at this", "look at this", "the review callback did not answer"]) {
      #expect(try await service.moment(id, for: anna).state == .held)
      #expect(await AttachmentLibrary.code { _ = try await service.moment(id, for: friend) } == .notFound)
      let standing = try await service.library.readModeration { try $0.standing(ofMoment: id) }
      #expect(standing?.hold?.reason == reason)
      #expect(standing?.hold?.actor == "review")
      #expect(try await !service.release(moment: id, by: .moderator).held)
      #expect(try await service.moment(id, for: friend).state == nil)
    }
  }

  @Test("A text that changes while the application decides is asked about, too") func raced() async throws {
    struct Other: Sendable {
      let service: MediaService
      let moment: Moment.ID
    }
    let other = Locked<Other?>(nil)
    let asked = Locked<[String?]>([])
    let fixture = try await ServiceFixture {
      $0.review = { question in
        asked.withLock { $0.append(question.moment?.caption) }
        let request = other.withLock { $0 }
        other.withLock { $0 = nil }
        if let request {
          var change = MediaService.MomentChange()
          change.caption = .set("Snow")
          _ = try await request.service.change(request.moment, change, for: Caller(owner: "anna"))
        }
        return .allow
      }
    }
    let service = fixture.service
    let id = try await service.create(note("Rain", .private), for: anna)
    other.withLock { $0 = Other(service: service, moment: id) }
    let shown = try await service.change(id, change(.public), for: anna)
    #expect(shown.caption == "Snow")
    #expect(asked.withLock { $0 } == ["Rain", "Snow"])
  }
}
