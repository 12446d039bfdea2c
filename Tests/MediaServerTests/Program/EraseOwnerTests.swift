internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
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
    var configuration = MediaEngine.Configuration()
    (configuration.kind, configuration.domain, configuration.spares) = (.workers(count: 1), .isolated, 0)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    let engine = try await MediaEngine.start(configuration)
    var settings = MediaService.Configuration(library: LibraryLocation(folder: PathBytes(folder.path("library"))))
    settings.limits.freeBytes = 0
    let service = try await MediaService.open(settings, engine: engine)
    _ = try await service.createDraft(for: ada, text: "Quokkadraft")
    _ = try await service.createDraft(for: bob, text: "Wombatdraft")
    _ = try await service.receiveMessage(NotificationPDU.octets(7), for: ada)
    _ = try await service.receiveMessage(NotificationPDU.octets(8), for: bob)
    try await service.close()
    await engine.shutdown()
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
}
