internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// Others learn nothing of a verdict on the file of one owner by the time of their uploads (docs/decisions/0146).
extension ScanningTests {
  @Test("The bytes are scanned for each owner once, also if the library has their verdict from another one")
  func onceForEachOwner() async throws {
    let kit = try await open()
    for (owner, scans) in [(UploadKit.ada, 1), (UploadKit.bob, 2), (UploadKit.ada, 2), (UploadKit.bob, 2)] {
      #expect(try await upload(kit, for: owner).isHeld == nil)
      #expect(scanner.scans == scans)
    }
    // A process that knows of no running scan.
    let again = try await kit.restarted { [scanner] in $0.scanning = MediaService.Scanning(scanner) }
    _ = try await upload(again, for: UploadKit.bob)
    #expect(scanner.scans == 2)
    _ = try await upload(again, for: Caller(owner: "carol"))
    #expect(scanner.scans == 3)
    try await again.service.close()
  }

  @Test("Owners who upload the same bytes at the same time do not join one scan") func apart() async throws {
    let scans = ArrivalScans { 1_000 }
    let content = try #require(ContentDigest(bytes: UploadKit.sha256([1])))
    let (count, isEnded) = (Locked(0), Locked(false))
    let running = ["ada", "bob"].map { owner in
      Task {
        try await scans.scan(content, of: owner) {
          count.withLock { $0 += 1 }
          while !isEnded.withLock({ $0 }) { await Task.yield() }
          return MalwareScan(.clean)
        }
      }
    }
    while count.withLock({ $0 }) < 2 { await Task.yield() }
    isEnded.withLock { $0 = true }
    for task in running { #expect(try await task.value.state == .clean) }
  }

  @Test("Without a result of the scan, the verdict from another owner counts") func fallback() async throws {
    let kit = try await open()
    _ = try await upload(kit)
    scanner.isAway = true
    let answer = try await upload(kit, for: UploadKit.bob)
    #expect(answer.isHeld == nil)
    #expect(!answer.renditions.isEmpty)
    #expect(try await kit.service.attachment(answer.id, for: UploadKit.bob).own?.isHeld == false)
    #expect(scanner.scans == 2)
  }

  @Test(
    "Malware that is known from another owner is refused after a scan, whatever it finds", arguments: [false, true])
  func knownMalware(isAway: Bool) async throws {
    let kit = try await open(.allow)
    let known = try await upload(kit)
    scanner.find(signatures: 2) { _ in .infected(name: "Eicar") }
    #expect(try await kit.service.sweepScans(everything: true) == 1)
    #expect(try await kit.service.attachment(known.id, for: UploadKit.ada).own?.isBlocked == true)
    let scans = scanner.scans
    scanner.find(signatures: 2) { _ in .clean }
    scanner.isAway = isAway
    #expect(await AttachmentLibrary.code { _ = try await upload(kit, for: UploadKit.bob) } == .refused)
    #expect(scanner.scans == scans + 1)
    // Who has it knows that it is malware.
    #expect(await AttachmentLibrary.code { _ = try await upload(kit) } == .refused)
    #expect(scanner.scans == scans + 1)
    // The scan of bob's copy did not bring it back.
    #expect(try await kit.service.attachment(known.id, for: UploadKit.ada).own?.isBlocked == true)
  }

  @Test("A file of a received message is scanned for its owner, although another owner has it in the library")
  func receivedPart() async throws {
    let kit = try await open()
    _ = try await upload(kit)
    #expect(scanner.scans == 1)
    let received = try await kit.service.receiveMessage(try Carrier.retrieved(), for: UploadKit.bob)
    let message = try #require(received.message?.id)
    for _ in 1...2 {
      _ = try await kit.service.messageFile(1, of: message, for: UploadKit.bob)
      #expect(scanner.scans == 2)
    }
    let own = try await kit.service.receiveMessage(try Carrier.retrieved(2), for: UploadKit.ada)
    _ = try await kit.service.messageFile(1, of: try #require(own.message?.id), for: UploadKit.ada)
    #expect(scanner.scans == 2)
  }
}
