internal import FileSupport
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

/// Time shows what an answer hides, so the steps of an answer are counted and not its seconds.
@Suite("Unknown, erased, blocked and forbidden ids take the same steps") struct ExistenceTests {
  /// What a request did: calls of the databases and of the files, and questions to the application.
  private struct Steps: Equatable {
    var reading: UInt64, writing: UInt64, files: UInt64, originals: UInt64, rows: UInt64, changes: UInt64
    var questions: Int

    init(_ service: MediaService, _ policy: ScriptedPolicy?) {
      let library = service.library
      (reading, writing, files) = (library.reading.calls, library.writing.calls, library.files.calls)
      (rows, changes) = (service.database.reading.calls, service.database.writing.calls)
      originals = service.attachments.reading.calls
      questions = policy?.questions.count ?? 0
    }

    static func - (one: Steps, other: Steps) -> Steps {
      var steps = one
      steps.reading -= other.reading
      steps.writing -= other.writing
      steps.files -= other.files
      steps.originals -= other.originals
      steps.rows -= other.rows
      steps.changes -= other.changes
      steps.questions -= other.questions
      return steps
    }
  }

  @Test(
    "Every use case of an attachment answers for another owner's id as for an unknown one, with and without an application that decides",
    arguments: [false, true])
  func steps(hasPolicy: Bool) async throws {
    let policy = hasPolicy ? ScriptedPolicy { _ in false } : nil
    let library = try await AttachmentLibrary { $0.accessPolicy = policy }
    let service = library.service
    let forbidden = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:1": true], renditions: ["grid"])
    let erased = try await library.add("camera-roll/IMG_0002.jpg")
    _ = try await service.erase(erased, for: .alice)
    let blocked = try await library.add("camera-roll/IMG_0003.jpg")
    _ = try await service.block(blocked, reason: "test", by: .moderator)
    let ids = [FileID(rawValue: 999_999), forbidden, erased, blocked]
    let grid = try #require(MediaService.RenditionName(named: "grid", format: .webp))
    var draft = 0
    let uses: [(String, (FileID, Caller) async throws -> Void)] = [
      ("facts", { _ = try await service.attachment($0, for: $1) }),
      ("batch", { if try await service.attachments([$0], for: $1).isEmpty { throw ServiceError.notFound } }),
      (
        "grants",
        { if try await service.grants([$0], rights: [.view], for: $1).isEmpty { throw ServiceError.notFound } }
      ),
      ("revoke", { try await service.revokeGrants([$0], for: $1) }),
      ("original", { _ = try await service.original($0, for: .caller($1)) }),
      ("rendition", { _ = try await service.rendition(grid, of: $0, for: .caller($1)) }),
      ("poster", { _ = try await service.poster(of: $0, at: 1, for: .caller($1)) }),
      ("storyboard", { _ = try await service.storyboard(of: $0, for: .caller($1)) }),
      ("waveform", { _ = try await service.waveform(of: $0, for: .caller($1)) }),
      ("part", { _ = try await service.messagePart(1, of: $0, for: .caller($1)) }),
      ("signed", { id, _ in _ = try await service.original(id, for: .address(.init(expires: .max, generation: 99))) }),
      ("change", { _ = try await service.change($0, .init(), for: $1) }),
      ("erase", { _ = try await service.erase($0, for: $1) }),
      ("modules", { _ = try await service.modules(of: "\($0.rawValue)", for: $1) }),
      ("check", { _ = try await service.check(["\($0.rawValue)"], of: $1) }),
      ("avatar", { try await service.setAvatar("\($0.rawValue)", for: $1) }),
    ]
    for (name, use) in uses {
      var counted: [Steps] = []
      for id in ids {
        // Another subject each time: an answer of the application is remembered.
        draft += 1
        let caller = Caller(owner: "reader \(draft)")
        let before = Steps(service, policy)
        #expect(await AttachmentLibrary.code { try await use(id, caller) } == .notFound, "\(name) \(id)")
        counted.append(Steps(service, policy) - before)
      }
      #expect(counted.allSatisfy { $0 == counted[0] }, "\(name): \(counted)")
    }
  }

  @Test("The erasure of a collection answers the same, whoever has one with the name") func collections() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    var change = MediaService.AttachmentChange()
    change.collection = .set("album")
    _ = try await service.change(try await library.add("camera-roll/IMG_0001.jpg"), change, for: .alice)
    var counted: [Steps] = []
    for name in ["nothing", "album"] {
      let before = Steps(service, nil)
      #expect(await AttachmentLibrary.code { _ = try await service.erase(collection: name, for: .bob) } == .notFound)
      counted.append(Steps(service, nil) - before)
    }
    #expect(counted[0] == counted[1])
  }
}
