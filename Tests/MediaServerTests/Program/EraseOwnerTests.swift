internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import MediaService
internal import TestSupport
internal import Testing

@Suite("mediatool erase --owner in the library of a service", .serialized) struct EraseOwnerTests {
  private let ada = Caller(owner: "ada")
  private let bob = Caller(owner: "bob")
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Drafts and messages of two owners, as a service leaves them that has ended.
  private func fill() async throws {
    try await withService { service in
      _ = try await service.createDraft(for: ada, text: "Quokkadraft")
      _ = try await service.createDraft(for: bob, text: "Wombatdraft")
      _ = try await service.receiveMessage(NotificationPDU.octets(7), for: ada)
      _ = try await service.receiveMessage(NotificationPDU.octets(8), for: bob)
    }
  }

  private func count(_ word: String) throws -> Int { try folder.files(containing: Array(word.utf8)).count }

  private func erase(_ owner: String) async throws -> (status: Int, record: [String: Any], errors: String) {
    let tool = Tool(executable: URL(fileURLWithPath: BuiltProduct.path("mediatool")))
    let arguments = ["erase", "--owner", owner, "--library", folder.path("library")]
    let output = try await onThread { try tool.run(arguments, seconds: 3_600) }
    let record = (try? JSONSerialization.jsonObject(with: Data(output.text.utf8))) as? [String: Any]
    return (output.status, record ?? [:], output.errors)
  }

  @Test("R-MYM-24: drafts and messages of the owner are in no byte, and those of others stay") func drafts()
    async throws
  {
    try await fill()
    let (adas, bobs) = (["Quokkadraft", "15550001007"], ["Wombatdraft", "15550001008"])
    for word in adas + bobs { #expect(try count(word) > 0, "\(word)") }
    let first = try await erase("ada")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.record["drafts"] as? Int == 1)
    #expect(first.record["messages"] as? Int == 1)
    #expect(first.record["isWiped"] as? Bool == true)
    for word in adas { #expect(try count(word) == 0, "\(word)") }
    for word in bobs { #expect(try count(word) > 0, "\(word)") }
    let second = try await erase("ada")
    #expect(second.status == 0)
    #expect(second.errors.contains("nothing was erased"), "\(second.errors)")
  }

  /// Runs an action on the service that has the library.
  private func withService<Result>(
    _ body: (MediaService) async throws -> Result
  ) async throws -> Result {
    var configuration = MediaEngine.Configuration()
    (configuration.kind, configuration.domain, configuration.spares) = (.workers(count: 1), .isolated, 0)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    let engine = try await MediaEngine.start(configuration)
    var settings = MediaService.Configuration(library: LibraryLocation(folder: PathBytes(folder.path("library"))))
    settings.limits.freeBytes = 0
    let service = try await MediaService.open(settings, engine: engine)
    let result = try await body(service)
    try await service.close()
    await engine.shutdown()
    return result
  }

  @Test(
    "Moments that the command deletes take no original along that a service may use", arguments: ["moments", "trip"])
  func sharedOriginal(verb: String) async throws {
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    let (file, moment, trip) = try await withService { service in
      let file = try await service.attach(
        AsyncStream { continuation in
          continuation.yield(photo)
          continuation.finish()
        }, length: photo.count, claims: Upload.Claims(name: "Quokkaname.jpg"), for: ada
      ).id
      var change = MediaService.AttachmentChange()
      change.labels = .set(["g:1"])
      _ = try await service.change(file, change, for: ada)
      // An open trip takes the moments that follow.
      let trip = try await service.add(MediaService.NewTrip(title: "Lake"), for: ada)
      let moment = try await service.post(MediaService.NewMoment(attachment: "\(file.rawValue)"), for: ada)
      return (file, moment.id, trip.id)
    }
    let arguments = verb == "moments" ? ["moments", "delete", moment] : ["trip", "delete", trip, "--with-moments"]
    let tool = Tool(executable: URL(fileURLWithPath: BuiltProduct.path("mediatool")))
    let output = try await onThread { [folder] in
      try tool.run(arguments + ["--library", folder.path("library")], seconds: 3_600)
    }
    #expect(output.status == 1, "\(output.errors)")
    #expect(output.errors.contains("service.sqlite belongs to `mediatool serve`"), "\(output.errors)")
    let record = try #require(try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any])
    #expect(record["moments"] as? Int == 1)
    #expect(record["originals"] as? Int ?? 0 == 0)
    #expect((record["notErased"] as? [String])?.contains { $0.hasSuffix("service.sqlite") } == true)
    // The attachment is there for those who have its label.
    try await withService { service in
      let found = try await service.attachment(file, for: Caller(owner: "bob", labels: ["g:1"]))
      #expect(found.info?.bytes == photo.count)
    }
  }

  @Test("An erased file of a service is reported with what the service may still have of it") func file() async throws {
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    try await withService { service in
      _ = try await service.attach(
        AsyncStream { continuation in
          continuation.yield(photo)
          continuation.finish()
        }, length: photo.count, claims: Upload.Claims(name: "Quokkaname.jpg"), for: ada)
    }
    let tool = Tool(executable: URL(fileURLWithPath: BuiltProduct.path("mediatool")))
    let output = try await onThread { [folder] in
      try tool.run(
        ["erase", "--owner", "ada", "--collection", "none", "--library", folder.path("library")], seconds: 3_600)
    }
    #expect(output.status == 1, "\(output.errors)")
    #expect(output.errors.contains("service.sqlite belongs to `mediatool serve`"), "\(output.errors)")
  }
}
