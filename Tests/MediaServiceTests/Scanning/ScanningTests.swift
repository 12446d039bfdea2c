internal import AttachmentPolicy
internal import Foundation
internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

@Suite("Scans of uploads for malware") struct ScanningTests {
  let scanner = FakeScanner()
  private static let friend = Caller(owner: "bob", labels: ["g"])

  func open(_ policy: MediaService.Scanning.Policy = .hold, seconds: Double = 600) async throws -> UploadKit {
    try await UploadKit.open { [scanner] in
      $0.scanning = MediaService.Scanning(scanner, policy: policy)
      $0.limits.scanSeconds = seconds
    }
  }

  func upload(
    _ kit: UploadKit, _ bytes: [UInt8]? = nil, for caller: Caller = UploadKit.ada
  ) async throws -> IngestedAttachment {
    let bytes = try bytes ?? UploadKit.photo()
    return try await kit.service.attach(Pieces(bytes), length: bytes.count, for: caller)
  }

  /// Lets readers with the label `g` see a file.
  private func share(_ id: FileID, _ kit: UploadKit) async throws {
    try await kit.service.database.write { db in
      try AttachmentRecord.note(id, owner: "ada", name: nil, labels: ["g": true], in: db)
    }
  }

  private func isReadable(_ id: FileID, _ kit: UploadKit, by caller: Caller = ScanningTests.friend) async -> Bool {
    await AttachmentLibrary.code { _ = try await kit.service.original(id, for: .caller(caller)) } == nil
  }

  @Test("A clean upload is shown, and equal bytes of an owner are scanned once") func clean() async throws {
    let kit = try await open()
    let first = try await upload(kit)
    #expect(first.isHeld == nil)
    #expect(first.renditions.map(\.name).sorted() == ["grid", "message"])
    try await share(first.id, kit)
    #expect(await isReadable(first.id, kit))
    #expect(try await upload(kit).id == first.id)
    #expect(scanner.scans == 1)
  }

  @Test("Malware is refused, and nothing of it stays") func infected() async throws {
    let kit = try await open()
    scanner.find { _ in .infected(name: "Eicar") }
    do {
      _ = try await upload(kit)
      Issue.record("it was taken in")
    } catch {
      #expect(error as? ServiceError != nil)
      let reasons = (error as? ServiceError)?.verdict?.files.flatMap(\.reasons).map(\.code.rawValue)
      #expect(reasons == ["malware"])
      #expect((error as? ServiceError)?.code == .refused)
    }
    #expect(try kit.parts().isEmpty)
    #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
  }

  @Test("A held upload is in no moment that others see, and in no profile") func heldElsewhere() async throws {
    let kit = try await open()
    let friend = Caller(owner: "bob", labels: ["friends:ada"])
    let clean = try await upload(kit)
    scanner.isAway = true
    let held = try await upload(kit, try UploadKit.photo() + [0])
    #expect(held.isHeld == true)
    for id in [clean.id, held.id] {
      var moment = MediaService.NewMoment(attachment: "\(id.rawValue)")
      moment.visibility = .friends
      _ = try await kit.service.post(moment, for: UploadKit.ada)
    }
    func moments(for caller: Caller) async throws -> [String: Bool] {
      var query = MediaService.MomentQuery()
      query.audience = caller.owner == "ada" ? .owner : .friends
      let found = try await kit.service.moments(query, for: caller).moments
      return Dictionary(uniqueKeysWithValues: found.map { ($0.attachment ?? "", $0.urls != nil) })
    }
    #expect(try await moments(for: friend) == ["\(clean.id.rawValue)": true])
    #expect(
      try await moments(for: UploadKit.ada) == ["\(clean.id.rawValue)": true, "\(held.id.rawValue)": false])
    #expect(await !isReadable(held.id, kit, by: friend))
    _ = try await kit.service.setAvatar("\(clean.id.rawValue)", for: UploadKit.ada)
    #expect(
      await AttachmentLibrary.code {
        _ = try await kit.service.setAvatar("\(held.id.rawValue)", for: UploadKit.ada)
      } == .unavailable)
  }

  @Test("Without the scanner, uploads are held: the owner alone sees them, without images, until a later scan is clean")
  func held() async throws {
    let kit = try await open()
    scanner.isAway = true
    let answer = try await upload(kit)
    #expect(answer.isHeld == true)
    #expect(answer.renditions.isEmpty)
    #expect(answer.placeholder == nil)
    try await share(answer.id, kit)
    // As if it did not exist.
    #expect(await !isReadable(answer.id, kit))
    let unknown = await AttachmentLibrary.code {
      _ = try await kit.service.attachment(answer.id, for: Self.friend)
    }
    #expect(unknown == .notFound)
    let grid = try #require(MediaService.RenditionName(named: "grid", format: .webp))
    #expect(
      await AttachmentLibrary.code {
        _ = try await kit.service.rendition(grid, of: answer.id, for: .caller(Self.friend))
      } == .notFound)
    // Nothing is decoded before a scan, not even for the owner.
    #expect(
      await AttachmentLibrary.code {
        _ = try await kit.service.rendition(grid, of: answer.id, for: .caller(UploadKit.ada))
      } == .unavailable)
    let address = SignedAddress(expires: .max, generation: 0)
    #expect(
      await AttachmentLibrary.code { _ = try await kit.service.original(answer.id, for: .address(address)) }
        == .notFound)
    let own = try await kit.service.attachment(answer.id, for: UploadKit.ada)
    #expect(own.own?.isHeld == true)
    #expect(own.own?.isBlocked == false)
    #expect(own.urls.isEmpty)
    #expect(await isReadable(answer.id, kit, by: UploadKit.ada))
    #expect(await kit.service.unreadyReasons().contains("scanner") == false)

    // A process that dies has lost nothing of it.
    let again = try await kit.restarted { [scanner] in
      $0.scanning = MediaService.Scanning(scanner)
      $0.clock = { kit.time.withLock { $0 } }
    }
    #expect(try await again.service.sweepScans() == 0, "the scanner is away")
    scanner.isAway = false
    kit.advance(60)
    #expect(try await again.service.sweepScans() == 1)
    #expect(await isReadable(answer.id, again))
    let shown = try await again.service.attachment(answer.id, for: UploadKit.ada)
    #expect(shown.own?.isHeld == false)
    #expect(shown.placeholder != nil)
    #expect(shown.urls["original"] != nil)
    #expect(
      try await again.service.library.catalogue.renditions(of: answer.id).map(\.name).sorted() == ["grid", "message"])
    #expect(try await again.service.sweepScans(everything: true) == 0)
    try await again.service.close()
  }

  @Test("A held upload that turns out to be malware is read by nobody") func heldMalware() async throws {
    let kit = try await open()
    scanner.isAway = true
    let answer = try await upload(kit)
    try await share(answer.id, kit)
    scanner.isAway = false
    scanner.find { _ in .infected(name: "Eicar") }
    kit.advance(60)
    #expect(try await kit.service.sweepScans() == 1)
    #expect(await !isReadable(answer.id, kit))
    #expect(await !isReadable(answer.id, kit, by: UploadKit.ada))
    #expect(try await kit.service.attachment(answer.id, for: UploadKit.ada).own?.isBlocked == true)
    #expect(try await kit.service.library.catalogue.newest(.all, after: nil, limit: 9).files.isEmpty)
    // Somebody else's upload of the same bytes.
    let code = await AttachmentLibrary.code { _ = try await upload(kit, for: UploadKit.bob) }
    #expect(code == .refused)
    // As long as an upload of bytes that nobody has (docs/decisions/0146).
    #expect(scanner.scans == 3)
  }

  @Test("Newer signatures are a reason to scan again: malware that was clean is hidden, its addresses end, and back")
  func newer() async throws {
    let kit = try await open()
    let answer = try await upload(kit)
    try await share(answer.id, kit)
    let cut = CutCount()
    kit.service.onAddressesCut { files in if files.contains(answer.id) { cut.add() } }
    scanner.find(signatures: 2) { _ in .infected(name: "Eicar") }
    #expect(try await kit.service.sweepScans() == 0)
    #expect(try await kit.service.sweepScans(everything: true) == 1)
    #expect(await !isReadable(answer.id, kit))
    #expect(cut.value == 1)
    scanner.find(signatures: 3) { _ in .clean }
    #expect(try await kit.service.sweepScans(everything: true) == 1)
    #expect(await isReadable(answer.id, kit))
    let audit = try await kit.service.library.readModeration { try $0.audit(after: nil, limit: 9).entries }
    #expect(audit.map(\.action) == [.cleared, .infected])
  }

  @Test("With the policy allow an upload is shown without the scanner, and hidden when malware is found") func allow()
    async throws
  {
    let kit = try await open(.allow)
    scanner.isAway = true
    let answer = try await upload(kit)
    #expect(answer.isHeld == nil)
    #expect(!answer.renditions.isEmpty)
    try await share(answer.id, kit)
    #expect(await isReadable(answer.id, kit))
    scanner.isAway = false
    scanner.find { _ in .infected(name: "Eicar") }
    kit.advance(60)
    #expect(try await kit.service.sweepScans() == 1)
    #expect(await !isReadable(answer.id, kit))
  }

  @Test("The end of the service waits for no scan") func ended() async throws {
    let kit = try await open()
    scanner.isAway = true
    let answer = try await upload(kit)
    (scanner.isAway, scanner.isSilent) = (false, true)
    kit.advance(60)
    let sweep = Task { try await kit.service.sweepScans() }
    while scanner.scans < 2 { await Task.yield() }
    sweep.cancel()
    #expect(try await sweep.value == 0)
    scanner.isSilent = false
    // Nothing was decided, so the next process scans it.
    #expect(try await kit.service.attachment(answer.id, for: UploadKit.ada).own?.isHeld == true)
    #expect(try await kit.service.sweepScans() == 1)
    #expect(try await kit.service.attachment(answer.id, for: UploadKit.ada).own?.isHeld == false)
  }

  @Test("What an unscanned library has is held until it was scanned") func existing() async throws {
    let kit = try await UploadKit.open()
    let answer = try await upload(kit)
    try await share(answer.id, kit)
    let again = try await kit.restarted { [scanner] in $0.scanning = MediaService.Scanning(scanner) }
    #expect(await !isReadable(answer.id, again))
    #expect(try await again.service.sweepScans() == 0)
    #expect(try await again.service.sweepScans(everything: true) == 1)
    #expect(await isReadable(answer.id, again))
  }
}

/// A number that several tasks raise.
final class CutCount: Sendable {
  private let number = Locked(0)
  var value: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}
