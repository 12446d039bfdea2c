internal import AttachmentPolicy
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import MessageFitting
internal import Messaging
internal import Metrics
internal import MetricsTestKit
internal import TestSupport
internal import Testing

/// Videos and audio files that are too large, or of another kind than the receivers know.
@Suite("Videos and audio files in messages") struct EngineTranscoderTests {
  /// The result of a file in a message of so many bytes, and its facts as a probe finds them.
  private func sent(
    _ name: String, _ preset: String, bytes: Int, mayCut: Bool = false
  ) async throws -> (change: MessageFit.Plan.Change?, info: MediaInfo, name: String?)? {
    let engine = try await MediaEngine.forTests()
    let source = MediaSource.path(Fixture.path(name))
    let attachment = MediaAttachment(
      id: "video", name: name.split(separator: "/").last.map(String.init), info: try await engine.probe(source))
    let message = MessageComposition(
      content: [.attachment(AttachmentDraft.Item(attachment))], recipients: [MessageRecipient("5551234")])
    var profile = try #require(CarrierProfile.preset(preset))
    profile.maxMessageBytes = bytes
    var transcoder = EngineTranscoder(engine: engine, mayCut: mayCut)
    // The result must not depend on how busy the machine is.
    transcoder.limits.transcodeSeconds = 600
    let result = try await MessageFitter(engine: engine, transcoder: transcoder).fit(
      message, under: profile, files: [attachment.id: source])
    guard case .fitted(let fitted) = result, let data = fitted.files[attachment.id] else {
      await engine.shutdown()
      return nil
    }
    #expect(fitted.plan.bytes <= bytes)
    let info = try await engine.probe(.bytes(data))
    await engine.shutdown()
    return (fitted.plan.changes.first, info, fitted.plan.composition.attachments.first?.name)
  }

  @Test("A video that is too large becomes H.264 in MP4 for current phones, upright and without metadata")
  func modern() async throws {
    let video = try #require(try await sent("camera-roll/MOV_0009.mov", "mms-1m", bytes: 24_000))
    #expect(video.change?.effects == [.transcoded])
    #expect(video.name == "MOV_0009.mp4")
    #expect(video.info.videoCodec == "h264")
    #expect(video.info.rotation ?? 0 == 0)
    #expect(video.info.takenAt == nil)
    #expect(video.info.latitude == nil)
    #expect(video.info.make == nil)
  }

  @Test("Old phones get H.263 in 3GP even if the video would fit") func old() async throws {
    let video = try #require(try await sent("camera-roll/VID_0008.mp4", "video-rich", bytes: 102_400))
    #expect(video.change?.effects == [.transcoded])
    #expect(video.info.videoCodec == "h263")
    #expect(video.info.displaySize == PixelSize(width: 176, height: 144))
  }

  @Test("A supported video that fits is only stripped of its metadata") func asItIs() async throws {
    let video = try #require(try await sent("camera-roll/VID_0008.mp4", "mms-600k", bytes: 614_400))
    #expect(video.change?.effects == [.stripped])
    #expect(video.info.latitude == nil)
    #expect(video.info.takenAt == nil)
  }

  @Test("An audio file that is too large is transcoded") func audio() async throws {
    let audio = try #require(try await sent("audio/steps-f32.wav", "mms-1m", bytes: 16_000))
    #expect(audio.change?.effects == [.transcoded])
    #expect(audio.info.kind == .audio)
    #expect(audio.info.audioCodec == "aac")
  }

  @Test(
    "Videos of two owners share no worker, whether the fitter states the owner or the transcoder",
    .disabled(
      if: ProcessInfo.processInfo.environment["MEDIATOOL_SANITIZER"] != nil, "workers do not run under a sanitizer"),
    arguments: [true, false])
  func domains(statedByFitter: Bool) async throws {
    let metrics = TestMetrics()
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 1)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.spares = 0
    configuration.metrics = metrics
    let engine = try await MediaEngine.start(configuration)
    let prober = try await MediaEngine.forTests()
    let source = MediaSource.path(Fixture.path("camera-roll/MOV_0009.mov"))
    let attachment = MediaAttachment(id: "video", info: try await prober.probe(source))
    let message = MessageComposition(
      content: [.attachment(AttachmentDraft.Item(attachment))], recipients: [MessageRecipient("5551234")])
    var profile = try #require(CarrierProfile.preset("mms-1m"))
    profile.maxMessageBytes = 24_000
    for owner in [MediaEngine.TrustDomain.owner("ada"), .owner("ada"), .owner("bob")] {
      var transcoder = EngineTranscoder(engine: engine)
      transcoder.limits.transcodeSeconds = 600
      if !statedByFitter { transcoder.domain = owner }
      var fitter = MessageFitter(engine: engine, transcoder: transcoder)
      if statedByFitter { fitter.domain = owner }
      guard case .fitted(let fitted) = try await fitter.fit(message, under: profile, files: [attachment.id: source])
      else {
        Issue.record("the video was refused")
        continue
      }
      #expect(fitted.plan.changes.first?.effects == [.transcoded])
    }
    await engine.shutdown()
    await prober.shutdown()
    #expect(try metrics.expectCounter("mediatool_worker_replacements_total", [("reason", "domain")]).totalValue == 1)
  }

  @Test("The end is cut only if that is allowed") func cut() async throws {
    #expect(try await sent("camera-roll/two-notes.mp3", "mms-1m", bytes: 5_000) == nil)
    let start = try #require(try await sent("camera-roll/two-notes.mp3", "mms-1m", bytes: 5_000, mayCut: true))
    let whole = try #require(try await sent("camera-roll/two-notes.mp3", "mms-1m", bytes: 100_000))
    let (short, long) = (try #require(start.info.duration), try #require(whole.info.duration))
    #expect(short < long - 1)
    #expect(start.change?.effects == [.transcoded, .cut])
    #expect(whole.change?.effects == [.stripped])
  }
}
