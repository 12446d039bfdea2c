internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

/// What follows from a verdict elsewhere.
extension ScanningTests {
  @Test("Malware found at an upload hides the files that have the content already") func foundAtUpload() async throws {
    let kit = try await open()
    scanner.isAway = true
    let held = try await upload(kit)
    scanner.isAway = false
    scanner.find { _ in .infected(name: "Eicar") }
    #expect(await AttachmentLibrary.code { _ = try await upload(kit, for: UploadKit.bob) } == .refused)
    #expect(try await kit.service.attachment(held.id, for: UploadKit.ada).own?.isBlocked == true)
  }

  @Test("The addresses of a file end when newer signatures cannot look at it, so that nothing is kept in memory")
  func heldAgain() async throws {
    let kit = try await open()
    let answer = try await upload(kit)
    let cut = CutCount()
    kit.service.onAddressesCut { files in if files.contains(answer.id) { cut.add() } }
    scanner.find(signatures: 2) { _ in .unscannable(.encrypted) }
    #expect(try await kit.service.sweepScans(everything: true) == 1)
    #expect(try await kit.service.attachment(answer.id, for: UploadKit.ada).own?.isHeld == true)
    #expect(cut.value == 1)
  }

  @Test("What is due goes before a scan of everything") func dueFirst() async throws {
    let kit = try await UploadKit.open()
    for number in 0..<5 { _ = try await upload(kit, UploadKit.text(100, seed: UInt64(number + 1))) }
    let again = try await kit.restarted { [scanner] in
      $0.scanning = MediaService.Scanning(scanner)
      $0.clock = { kit.time.withLock { $0 } }
    }
    scanner.isAway = true
    let due = UploadKit.text(77, seed: 99)
    _ = try await upload(again, due)
    scanner.isAway = false
    kit.advance(60)
    let order = Locked<[Int]>([])
    scanner.find { bytes in
      order.withLock { $0.append(bytes.count) }
      return .clean
    }
    #expect(try await again.service.sweepScans(everything: true) == 6)
    #expect(order.withLock { $0.first } == 77)
    try await again.service.close()
  }

  @Test("The trays of all owners of a held content change when it is shown") func trays() async throws {
    let kit = try await open()
    scanner.isAway = true
    _ = try await upload(kit, for: UploadKit.bob)
    _ = try await upload(kit)
    let feed = kit.service.feed
    let before = (ada: feed.latest(of: "ada"), bob: feed.latest(of: "bob"))
    scanner.isAway = false
    kit.advance(60)
    #expect(try await kit.service.sweepScans() == 1)
    #expect(feed.latest(of: "ada") != before.ada)
    #expect(feed.latest(of: "bob") != before.bob)
  }

  @Test("A held file is put into no message") func composed() async throws {
    let kit = try await open()
    scanner.isAway = true
    let held = try await upload(kit)
    var request = MediaService.CompositionRequest()
    (request.attachments, request.to) = (["\(held.id.rawValue)"], ["+15551234567"])
    let message = try await kit.service.compose(request, for: UploadKit.ada)
    #expect(message.blockerCodes == ["unavailable"])
    #expect(message.pdu == nil)
  }

  @Test("Images that are made after a scan leave the facts of other owners' files as they are") func sharedFacts()
    async throws
  {
    let kit = try await open()
    scanner.isAway = true
    let bobs = try await upload(kit, for: UploadKit.bob)
    _ = try await kit.service.setLocationSharing(.none, for: UploadKit.ada)
    let adas = try await upload(kit)
    scanner.isAway = false
    kit.advance(60)
    #expect(try await kit.service.sweepScans() == 1)
    for (id, caller) in [(adas.id, UploadKit.ada), (bobs.id, UploadKit.bob)] {
      let shown = try await kit.service.attachment(id, for: caller)
      #expect(shown.placeholder != nil)
      #expect((shown.info?.latitude != nil) == (caller.owner == "bob"))
    }
    #expect(
      try await kit.service.library.catalogue.renditions(of: adas.id).map(\.name).sorted() == ["grid", "message"])
  }
}
