internal import MediaLibrary
internal import MediaModel
internal import Synchronization
internal import Testing

@testable internal import MediaService

@Suite struct AccessTests {
  private static let group = Caller(owner: "bob", labels: ["g:42"])

  @Test("The owner reads everything; others read what a label gives: to view, or the original too")
  func labels() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let viewed = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:42": false])
    let whole = try await library.add("camera-roll/IMG_0002.jpg", labels: ["g:42": true, "g:7": false])
    for id in [viewed, whole] { _ = try await service.original(id, for: .caller(.alice)) }
    #expect(try await service.attachment(viewed, for: Self.group).urls.keys.contains("grid"))
    #expect(
      await AttachmentLibrary.code { _ = try await service.original(viewed, for: .caller(Self.group)) } == .notFound)
    _ = try await service.original(whole, for: .caller(Self.group))
    let seven = Caller(owner: "carol", labels: ["g:7"])
    #expect(await AttachmentLibrary.code { _ = try await service.original(whole, for: .caller(seven)) } == .notFound)
    #expect(await AttachmentLibrary.code { _ = try await service.attachment(whole, for: .bob) } == .notFound)
  }

  @Test("Owners with canonically equivalent names are two owners, of attachments and of drafts")
  func equivalentOwners() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let (one, other) = (Caller(owner: "Zo\u{e9}"), Caller(owner: "Zoe\u{301}"))
    let id = try await library.add("camera-roll/IMG_0001.jpg", owner: one.owner)
    let name = "\(id.rawValue)"
    let draft = try await service.createDraft(for: one, text: "hello").id
    _ = try await service.original(id, for: .caller(one))
    _ = try await service.draft(draft, of: one)
    let uses: [(String, () async throws -> Void)] = [
      ("facts", { _ = try await service.attachment(id, for: other) }),
      ("original", { _ = try await service.original(id, for: .caller(other)) }),
      ("revoke", { try await service.revokeGrants([id], for: other) }),
      ("change", { _ = try await service.change(id, .init(), for: other) }),
      ("modules", { _ = try await service.modules(of: name, for: other) }),
      ("avatar", { try await service.setAvatar(name, for: other) }),
      ("moment", { _ = try await service.post(.init(attachment: name), for: other) }),
      ("draft", { _ = try await service.draft(draft, of: other) }),
      ("erase", { _ = try await service.erase(id, for: other) }),
    ]
    for (name, use) in uses { #expect(await AttachmentLibrary.code(use) == .notFound, "\(name)") }
    _ = try await service.original(id, for: .caller(one))
  }

  @Test("A profile is hidden from others until its owner shows it, and can be hidden again (R-CHAT-15, R-MYM-29)")
  func profile() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let photo = try await library.add("camera-roll/IMG_0001.jpg")
    try await service.setAvatar("\(photo.rawValue)", for: .alice)
    let own = try await service.avatar(of: .alice)
    #expect(own.attachment == "\(photo.rawValue)")
    func isSeen() async -> Bool {
      await AttachmentLibrary.code { _ = try await service.attachment(photo, for: Self.group) } == nil
    }
    // By the profile itself never, by its attachment for those with the label.
    #expect(await AttachmentLibrary.code { _ = try await service.avatar(of: Self.group) } == .notFound)
    #expect(await !isSeen())
    var change = MediaService.AttachmentChange()
    change.labels = .set(["g:42"])
    _ = try await service.change(photo, change, for: .alice)
    #expect(await isSeen())
    change.labels = .set([])
    _ = try await service.change(photo, change, for: .alice)
    #expect(await !isSeen())
    let other = try await library.add("camera-roll/IMG_0002.jpg")
    try await service.setAvatar("\(other.rawValue)", for: .alice)
    #expect(try await service.avatar(of: .alice).bytes != own.bytes)
    try await service.removeAvatar(of: .alice)
    #expect(await AttachmentLibrary.code { _ = try await service.avatar(of: .alice) } == .notFound)
  }

  @Test("What does not exist, what was erased and what the caller may not see are the same error")
  func oneError() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let erased = try await library.add("camera-roll/IMG_0002.jpg")
    _ = try await service.erase(erased, for: .alice)
    for (id, caller) in [(id, Caller.bob), (erased, .alice), (FileID(rawValue: 999_999), .alice)] {
      var errors: [ServiceError] = []
      do { _ = try await service.attachment(id, for: caller) } catch { errors.append(error) }
      do { _ = try await service.original(id, for: .caller(caller)) } catch { errors.append(error) }
      do { _ = try await service.change(id, .init(), for: caller) } catch { errors.append(error) }
      do { _ = try await service.erase(id, for: caller) } catch { errors.append(error) }
      do { try await service.revokeGrants([id], for: caller) } catch { errors.append(error) }
      #expect(errors == Array(repeating: ServiceError.notFound, count: 5))
    }
    #expect(try await service.attachments([id, erased], for: .bob).isEmpty)
    #expect(try await service.grants([id, erased], rights: [.view], for: .bob).isEmpty)
  }

  @Test("A token without the scope reads or changes nothing")
  func scopes() async throws {
    let library = try await AttachmentLibrary()
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let reader = Caller(owner: "alice", scope: .read)
    let writer = Caller(owner: "alice", scope: .write)
    let service = library.service
    _ = try await service.attachment(id, for: reader)
    #expect(await AttachmentLibrary.code { _ = try await service.attachment(id, for: writer) } == .notFound)
    #expect(await AttachmentLibrary.code { _ = try await service.change(id, .init(), for: reader) } == .forbidden)
    #expect(await AttachmentLibrary.code { _ = try await service.erase(id, for: reader) } == .forbidden)
    #expect(await AttachmentLibrary.code { _ = try await service.eraseOwner(for: reader) } == .forbidden)
    #expect(await AttachmentLibrary.code { _ = try await service.block(id, reason: "", by: .alice) } == .forbidden)
  }

  @Test("Others get facts without location, camera and digest, and nothing that the owner alone sees")
  func factsForOthers() async throws {
    let library = try await AttachmentLibrary()
    let id = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:42": false])
    let own = try await library.service.attachment(id, for: .alice)
    let others = try await library.service.attachment(id, for: Self.group)
    #expect(own.info?.latitude != nil)
    #expect(own.info?.make != nil)
    #expect(own.info?.sha256 != nil)
    #expect(own.own?.location != nil)
    #expect(own.own?.labels == ["g:42"])
    #expect(others.info?.latitude == nil)
    #expect(others.info?.make == nil)
    #expect(others.info?.sha256 == nil)
    #expect(others.own == nil)
    #expect(others.version == nil)
    #expect(others.info?.width == own.info?.width)
    #expect(others.urls["original"] == nil)
    #expect(own.urls["original"] != nil)
  }

  @Test("A signed URL opens what it names in the generation for which it was made")
  func generations() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    func open(_ generation: Int) async -> ServiceError.Code? {
      let address = SignedAddress(expires: .max, generation: generation)
      return await AttachmentLibrary.code { _ = try await service.original(id, for: .address(address)) }
    }
    #expect(await open(0) == nil)
    #expect(await open(1) == .notFound)
    try await service.revokeGrants([id], for: .alice)
    #expect(await open(0) == .notFound)
    #expect(await open(1) == nil)
    #expect(try await service.attachment(id, for: .alice).own?.generation == 1)
  }

  @Test("An address is signed for one to two periods, and the same for the whole period")
  func periods() async throws {
    let library = try await AttachmentLibrary { $0.addressLifetime = 100 }
    let address = library.service.address(of: .original, of: FileID(rawValue: 1), generation: 0)
    // The clock stands at a multiple of 100.
    #expect(address.contains("?e=\(AttachmentLibrary.now + 200)&g=0&k=k1&s="))
    #expect(address == library.service.address(of: .original, of: FileID(rawValue: 1), generation: 0))
  }

  // MARK: The application's policy

  @Test("The application is asked last, and only about what nothing else decides")
  func policyIsLast() async throws {
    let policy = ScriptedPolicy { $0.right == .view }
    let library = try await AttachmentLibrary { $0.accessPolicy = policy }
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:42": true])
    _ = try await service.original(id, for: .caller(.alice))
    _ = try await service.original(id, for: .caller(Self.group))
    _ = try await service.original(id, for: .address(SignedAddress(expires: .max, generation: 0)))
    #expect(policy.questions.isEmpty)
    let friend = Caller(owner: "carol")
    _ = try await service.attachment(id, for: friend)
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .caller(friend)) } == .notFound)
    #expect(
      policy.questions
        == [MediaService.Right.view, .original].map {
          MediaService.AccessQuestion(subject: "carol", attachment: id, owner: "alice", right: $0)
        })
    // A yes about what does not exist opens nothing.
    let none = FileID(rawValue: 4_711)
    #expect(await AttachmentLibrary.code { _ = try await service.attachment(none, for: friend) } == .notFound)
    #expect(policy.questions.count == 3)
    #expect(try await service.attachments([id, none], for: Caller(owner: "dave")).map(\.id) == ["\(id.rawValue)"])
    #expect(policy.questions.count == 5)
  }

  @Test("A yes is remembered for a minute and a no for five seconds")
  func policyIsRemembered() async throws {
    let clock = TestClock()
    for (answer, seconds) in [(true, 60), (false, 5)] {
      let policy = ScriptedPolicy { _ in answer }
      let decisions = AccessDecisions(policy, seconds: 60, clock: { clock.now })
      let question = MediaService.AccessQuestion(
        subject: "carol", attachment: FileID(rawValue: 1), owner: nil, right: .view)
      #expect(try await decisions.allows(question) == answer)
      clock.advance(seconds - 1)
      #expect(try await decisions.allows(question) == answer)
      #expect(policy.questions.count == 1)
      clock.advance(1)
      #expect(try await decisions.allows(question) == answer)
      #expect(policy.questions.count == 2)
    }
  }

  @Test("An application that fails or does not answer in time opens nothing, and is not taken for a no")
  func policyFails() async throws {
    struct Down: Error {}
    let question = MediaService.AccessQuestion(
      subject: "carol", attachment: FileID(rawValue: 1), owner: nil, right: .view)
    let failing = AccessDecisions(ScriptedPolicy { _ in throw Down() }, seconds: 60, clock: { 0 })
    #expect(await AttachmentLibrary.code { _ = try await failing.allows(question) } == .busy)
    let hanging = AccessDecisions(HangingPolicy(), seconds: 0.01, clock: { 0 })
    #expect(await AttachmentLibrary.code { _ = try await hanging.allows(question) } == .busy)
  }
}

/// Answers as a test says, and remembers what it was asked.
final class ScriptedPolicy: AccessPolicy {
  private let answer: @Sendable (MediaService.AccessQuestion) throws -> Bool
  private let asked = Mutex<[MediaService.AccessQuestion]>([])

  init(_ answer: @escaping @Sendable (MediaService.AccessQuestion) throws -> Bool) { self.answer = answer }

  var questions: [MediaService.AccessQuestion] { asked.withLock { $0 } }

  func allows(_ question: MediaService.AccessQuestion) async throws -> Bool {
    asked.withLock { $0.append(question) }
    return try answer(question)
  }
}

/// Never answers.
struct HangingPolicy: AccessPolicy {
  func allows(_ question: MediaService.AccessQuestion) async throws -> Bool {
    // Ends when the deadline cancels it; the deadline must not depend on that.
    try await Task.sleep(for: .seconds(3_600))
    return true
  }
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let seconds = Mutex(AttachmentLibrary.now)

  var now: Int { seconds.withLock { $0 } }

  func advance(_ count: Int) { seconds.withLock { $0 += count } }
}
