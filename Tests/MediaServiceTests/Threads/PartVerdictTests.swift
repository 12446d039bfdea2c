internal import FileSupport
internal import Foundation
internal import GRDB
internal import MalwareScanning
internal import MediaLibrary
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Verdicts on files of messages that are no files of the library") struct PartVerdictTests {
  private let anna = Caller(owner: "anna")
  private let scanner = FakeScanner()

  /// A service that hands out what was not scanned.
  private func start(in fixture: ServiceFixture? = nil, _ policy: MediaService.Scanning.Policy = .allow) async throws
    -> ServiceFixture
  {
    try await fixture?.service.close()
    return try await ServiceFixture(in: fixture?.folder, clock: fixture?.clock ?? ServiceFixture.TestClock()) {
      [scanner] in $0.scanning = MediaService.Scanning(scanner, policy: policy)
    }
  }

  /// - Returns: The id of a received message with a photo of testdata.
  private func receive(_ service: MediaService, for owner: String = "anna") async throws -> String {
    let received = try await service.receiveMessage(try Carrier.retrieved(), for: Caller(owner: owner))
    return try #require(received.message?.id)
  }

  /// The code of the error for a reader of the file; nil if it is handed out.
  private func outcome(_ message: String, _ fixture: ServiceFixture, for owner: String = "anna") async -> String? {
    await code { _ = try await fixture.service.messageFile(1, of: message, for: Caller(owner: owner)) }
  }

  @Test(
    "a file that was found infected is refused after a restart too, also with a policy of allow and a scanner that is away (R-MYM-26)"
  )
  func infected() async throws {
    var fixture = try await start()
    scanner.find { _ in .infected(name: "Eicar") }
    let message = try await receive(fixture.service)
    #expect(await outcome(message, fixture) == "notFound")
    scanner.isAway = true
    for _ in 1...2 {
      fixture = try await start(in: fixture)
      // Longer than results are known in memory.
      fixture.clock.advance(ArrivalScans.lifetime)
      #expect(await outcome(message, fixture) == "notFound")
      let grid = try #require(MediaService.RenditionName("grid.webp", boxes: []))
      let service = fixture.service
      #expect(await code { _ = try await service.messageImage(grid, ofFile: 1, of: message, for: anna) } == "notFound")
      #expect(try await service.modules(of: message, for: anna).modules.map(\.media) == [nil, nil])
    }
    // Without a scanner it is still malware.
    try await fixture.service.close()
    let service = try await ServiceFixture(in: fixture.folder, clock: fixture.clock).service
    #expect(await code { _ = try await service.messageFile(1, of: message, for: anna) } == "notFound")
  }

  @Test("a file is scanned again when the signatures are newer, and not before") func newer() async throws {
    let fixture = try await start(.hold)
    scanner.find(signatures: 5) { _ in .infected(name: "Eicar") }
    let message = try await receive(fixture.service)
    #expect(await outcome(message, fixture) == "notFound")
    fixture.clock.advance(ArrivalScans.lifetime)
    #expect(await outcome(message, fixture) == "notFound")
    #expect(scanner.scans == 1)
    // The service knows of newer signatures, and cannot ask.
    scanner.find(signatures: 6) { _ in .clean }
    try await fixture.service.sweepScans()
    scanner.isAway = true
    for _ in 1...3 { #expect(await outcome(message, fixture) == "notFound") }
    #expect(scanner.scans == 2)
    scanner.isAway = false
    fixture.clock.advance(UnscannedParts.pause)
    #expect(await outcome(message, fixture) == nil)
    #expect(await outcome(message, fixture) == nil)
    #expect(scanner.scans == 3)
  }

  @Test("malware that older signatures found for one owner is refused to the next one, too (R-MYM-26)")
  func twoOwners() async throws {
    let fixture = try await start()
    scanner.find(signatures: 5) { _ in .infected(name: "Eicar") }
    let first = try await receive(fixture.service)
    let second = try await receive(fixture.service, for: "ben")
    #expect(await outcome(first, fixture) == "notFound")
    // The service knows of newer signatures, and the last result is of older ones.
    scanner.find(signatures: 6) { _ in .infected(name: "Eicar") }
    try await fixture.service.sweepScans()
    #expect(await outcome(first, fixture) == "notFound")
    #expect(await outcome(second, fixture, for: "ben") == "notFound")
  }

  @Test("a file that was found clean is handed out after a restart while the scanner is away") func clean()
    async throws
  {
    let fixture = try await start(.hold)
    let message = try await receive(fixture.service)
    #expect(await outcome(message, fixture) == nil)
    scanner.isAway = true
    let again = try await start(in: fixture, .hold)
    again.clock.advance(ArrivalScans.lifetime)
    #expect(await outcome(message, again) == nil)
    #expect(scanner.scans == 1)
  }

  @Test("a file that cannot be scanned is not scanned again before the signatures are newer") func unscannable()
    async throws
  {
    let fixture = try await start(.hold)
    scanner.find(signatures: 5) { _ in .unscannable(.encrypted) }
    let message = try await receive(fixture.service)
    for _ in 1...3 {
      #expect(await outcome(message, fixture) == "unavailable")
      fixture.clock.advance(ArrivalScans.lifetime)
    }
    #expect(scanner.scans == 1)
  }

  @Test(
    "malware is refused also after the attachment with the same content was erased, read before or not (R-MYM-26)",
    arguments: [true, false])
  func erasedAttachment(isRead: Bool) async throws {
    let fixture = try await start()
    let service = fixture.service
    let photo = try MediaService.fileID(try await fixture.add("camera-roll/IMG_0001.jpg"))
    let content = try #require(try await service.library.catalogue.file(photo)?.digest)
    let message = try await receive(service)
    try await service.apply(Moderation.Verdict(content, .infected, detail: "Eicar", at: fixture.clock.now))
    scanner.isAway = true
    if isRead { #expect(await outcome(message, fixture) == "notFound") }
    _ = try await service.erase(photo, for: anna)
    #expect(try await service.library.readModeration { try $0.verdict(of: content) } == nil)
    #expect(await outcome(message, fixture) == "notFound")
  }

  @Test("a file that a newer scan of the library cleared is handed out after the attachment was erased") func cleared()
    async throws
  {
    let fixture = try await start()
    let service = fixture.service
    scanner.find(signatures: 5) { _ in .infected(name: "Eicar") }
    let message = try await receive(service)
    #expect(await outcome(message, fixture) == "notFound")
    let photo = try MediaService.fileID(try await fixture.add("camera-roll/IMG_0001.jpg"))
    let content = try #require(try await service.library.catalogue.file(photo)?.digest)
    try await service.apply(Moderation.Verdict(content, .clean, signatures: 6, at: fixture.clock.now))
    #expect(await outcome(message, fixture) == nil)
    _ = try await service.erase(photo, for: anna)
    scanner.isAway = true
    #expect(await outcome(message, fixture) == nil)
  }

  @Test("a scan without a result stores no verdict") func withoutResult() async throws {
    let fixture = try await start()
    scanner.isAway = true
    let message = try await receive(fixture.service)
    #expect(await outcome(message, fixture) == nil)
    #expect(scanner.scans == 1)
    let digest = try await fixture.service.storedMessage(message, of: anna).parts.compactMap(\.digest).first
    let content = try #require(digest)
    let stored = try await fixture.service.messageStores.use("anna", creating: false) { store -> Moderation.Verdict? in
      try store.verdict(of: content)
    }
    #expect(try #require(stored) == nil)
  }

  @Test("a verdict that cannot be stored counts until it is stored, and the file is not scanned again") func fullDisk()
    async throws
  {
    let fixture = try await start(.hold)
    let service = fixture.service
    let message = try await receive(service)
    let folder = service.configuration.library.data.appending("messages".utf8).text
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let database = try DatabaseQueue(path: "\(folder)/\(name)/messages.sqlite")
    try await database.write { db in
      try db.execute(
        sql: "CREATE TRIGGER fault BEFORE INSERT ON verdict BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    }
    for _ in 1...3 {
      #expect(await outcome(message, fixture) == nil)
      // Longer than results are known in memory.
      fixture.clock.advance(ArrivalScans.lifetime)
    }
    #expect(scanner.scans == 1)
    try await database.write { db in try db.execute(sql: "DROP TRIGGER fault") }
    try database.close()
    #expect(await outcome(message, fixture) == nil)
    #expect(scanner.scans == 1)
    let content = try #require(
      try await service.storedMessage(message, of: anna).parts.compactMap(\.digest).first)
    let stored = try await service.messageStores.use("anna", creating: false) { store -> Moderation.Verdict? in
      try store.verdict(of: content)
    }
    #expect(try #require(stored)?.state == .clean)
    #expect(service.unstoredVerdicts.verdict(on: content, of: "anna") == nil)
  }

  @Test("a file is scanned again after a day if the scanner states no version of its signatures")
  func withoutSignatures() async throws {
    let fixture = try await start(.hold)
    scanner.find(signatures: nil) { _ in .clean }
    let message = try await receive(fixture.service)
    #expect(await outcome(message, fixture) == nil)
    scanner.find(signatures: nil) { _ in .infected(name: "Eicar") }
    fixture.clock.advance(86_399)
    #expect(await outcome(message, fixture) == nil)
    #expect(scanner.scans == 1)
    fixture.clock.advance(1)
    #expect(await outcome(message, fixture) == "notFound")
    #expect(scanner.scans == 2)
  }

  @Test("the erasure of an owner leaves no verdict on its files (R-MYM-24)") func erasedOwner() async throws {
    let fixture = try await start()
    scanner.find { _ in .infected(name: "Eicar-of-anna") }
    let message = try await receive(fixture.service)
    #expect(await outcome(message, fixture) == "notFound")
    let digest = try await fixture.service.storedMessage(message, of: anna).parts.compactMap(\.digest).first
    let content = try #require(digest)
    let needles = [Data(content.bytes), Data("\(content)".utf8), Data("Eicar-of-anna".utf8)]
    #expect(try !Self.files(of: fixture.folder, with: [needles[2]]).isEmpty)
    _ = try await fixture.service.eraseOwner(for: anna)
    try await fixture.service.close()
    #expect(try Self.files(of: fixture.folder, with: needles) == [])
  }

  /// The files in a folder that have one of some sequences of bytes, in their content or in their path.
  private static func files(of folder: TemporaryFolder, with needles: [Data]) throws -> [String] {
    let base = folder.path("")
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return try names.filter { name in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(base)/\(name)", isDirectory: &isFolder) else { return false }
      let content = isFolder.boolValue ? Data() : try Data(contentsOf: URL(fileURLWithPath: "\(base)/\(name)"))
      return needles.contains { content.range(of: $0) != nil || Data(name.utf8).range(of: $0) != nil }
    }
  }
}
