internal import MalwareScanning
internal import MediaEngine
internal import MediaLibrary
internal import Testing

@testable internal import MediaService

/// Scans for which an upload waits: who joins them, and what happens to an upload without a result.
extension ScanningTests {
  @Test("With the policy refuse an upload fails while the scanner is away, and what it cannot look at is refused")
  func refuse() async throws {
    let kit = try await open(.refuse)
    scanner.isAway = true
    #expect(await AttachmentLibrary.code { _ = try await upload(kit) } == .busy)
    #expect(await kit.service.unreadyReasons().contains("scanner"))
    scanner.isAway = false
    scanner.find { _ in .unscannable(.encrypted) }
    #expect(await AttachmentLibrary.code { _ = try await upload(kit) } == .refused)
    #expect(await kit.service.unreadyReasons().contains("scanner") == false)
    scanner.find { _ in .unscannable(.timedOut) }
    #expect(await AttachmentLibrary.code { _ = try await upload(kit) } == .busy)
    scanner.find { _ in .clean }
    #expect(try await upload(kit).isHeld == nil)
  }

  @Test("With the policy refuse, attempts to upload a file join one scan")
  func joined() async throws {
    let kit = try await open(.refuse, seconds: 0.01)
    scanner.isSilent = true
    for _ in 0..<3 {
      #expect(await AttachmentLibrary.code { _ = try await upload(kit) } == .busy)
      while scanner.scans == 0 { await Task.yield() }
    }
    #expect(scanner.scans == 1)
    let content = try #require(ContentDigest(bytes: UploadKit.sha256(try UploadKit.photo())))
    scanner.find { _ in .clean }
    scanner.isSilent = false
    while kit.service.attachments.scans.callers(of: content, of: "ada") > 0 { await Task.yield() }
    // It was away when it was asked: that is no result.
    let patient = try await kit.restarted { [scanner] in
      $0.scanning = MediaService.Scanning(scanner, policy: .refuse)
      $0.limits.scanSeconds = 600
    }
    #expect(try await upload(patient).isHeld == nil)
    #expect(scanner.scans == 2)
  }

  @Test("The result of a scan of an upload is known for ten minutes; a failed scan has none") func results()
    async throws
  {
    let time = Locked(1_000)
    let scans = ArrivalScans { time.withLock { $0 } }
    let count = Locked(0)
    let content = try #require(ContentDigest(bytes: UploadKit.sha256([1])))
    func scan(_ state: MalwareScan.State) async throws -> MalwareScan.State {
      try await scans.scan(content, of: "ada") {
        count.withLock { $0 += 1 }
        return MalwareScan(state)
      }.state
    }
    #expect(try await scan(.unscannable(.scannerError)) == .unscannable(.scannerError))
    #expect(try await scan(.clean) == .clean)
    time.withLock { $0 += 599 }
    #expect(try await scan(.infected(name: "x")) == .clean)
    #expect(count.withLock { $0 } == 2)
    time.withLock { $0 += 1 }
    #expect(try await scan(.infected(name: "x")) == .infected(name: "x"))
    #expect(count.withLock { $0 } == 3)
  }

  @Test("An upload that joined a failed scan is scanned itself, unless the scanner is away", arguments: [false, true])
  func joinedFailure(isAway: Bool) async throws {
    let scans = ArrivalScans { 1_000 }
    let content = try #require(ContentDigest(bytes: UploadKit.sha256([1])))
    let isEnded = Locked(false)
    let first = Task {
      try await scans.scan(content, of: "ada") {
        while !isEnded.withLock({ $0 }) { await Task.yield() }
        return MalwareScan(.unscannable(.scannerError), isAway: isAway)
      }.state
    }
    while scans.callers(of: content, of: "ada") < 1 { await Task.yield() }
    let second = Task { try await scans.scan(content, of: "ada") { MalwareScan(.clean) }.state }
    while scans.callers(of: content, of: "ada") < 2 { await Task.yield() }
    isEnded.withLock { $0 = true }
    #expect(try await first.value == .unscannable(.scannerError))
    let expected: MalwareScan.State = isAway ? .unscannable(.scannerError) : .clean
    #expect(try await second.value == expected)
  }

  @Test("An upload does not wait for a scan without end: it is held") func silent() async throws {
    let kit = try await open(seconds: 0.01)
    scanner.isSilent = true
    let answer = try await upload(kit)
    #expect(answer.isHeld == true)
    scanner.isSilent = false
    #expect(try await kit.service.sweepScans() == 1)
    #expect(try await kit.service.attachment(answer.id, for: UploadKit.ada).own?.isHeld == false)
  }
}
