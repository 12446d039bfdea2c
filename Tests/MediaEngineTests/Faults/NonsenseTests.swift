internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

/// Workers that do not keep to the protocol. They do not lock themselves in, so that these tests run under a sanitizer too.
@Suite("Workers that violate the protocol") struct NonsenseTests {
  @Test(arguments: [
    "--deaf", "--never", "--half", "--half-and-away", "--garbage", "--long", "--other-job", "--greets-again",
    "--not-json", "--wrong-size", "--descriptors",
  ])
  func `A worker that sends invalid messages is killed and its job fails`(word: String) async throws {
    let engine = try await Engines.rogue(word) { $0.beHasty() }
    for _ in 0..<2 {
      let info = try await engine.probe(.does("abc"), options: Engines.hasty)
      #expect(info.error?.code == .decoderCrashed || info.error?.code == .timedOut, "\(info)")
      #expect(info.title == nil)
    }
    await engine.shutdown()
  }

  @Test(arguments: ["--progress-of-nothing", "--progress-goes-back", "--progress-no-number"])
  func `A worker that reports impossible progress is killed and its job fails`(word: String) async throws {
    let engine = try await Engines.rogue(word) { $0.beHasty() }
    let source = MediaSource.does("abc")
    let reported = Locked<[TranscodeProgress]>([])
    var info = MediaInfo(type: .plainText, bytes: 4)
    if word == "--progress-of-nothing" {
      info = try await engine.probe(source, options: Engines.patient)
      #expect(info.error?.code == .decoderCrashed, "\(info)")
    } else {
      let result = try await engine.transcode(source, info: info, TranscodeRequest(format: .aac, maxBytes: 9)) { step in
        reported.withLock { $0.append(step) }
      }
      #expect(result.error?.code == .decoderCrashed, "\(result)")
    }
    // Valid progress was reported.
    #expect(reported.withLock { $0.map(\.seconds) } == (word == "--progress-goes-back" ? [2] : []))
    await engine.shutdown()
  }

  @Test func `A second result is not taken for that of the next job`() async throws {
    let engine = try await Engines.rogue("--twice")
    for _ in 0..<20 {
      // The worker that has answered twice is sent away; its next job is not its victim.
      let info = try await engine.probe(.does("abc"))
      #expect(info.title == "good")
      #expect(info.error == nil)
    }
    await engine.shutdown()
  }
}
