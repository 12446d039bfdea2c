internal import AttachmentPolicy
internal import Foundation
internal import MMSCodec
internal import MediaEngine
internal import MediaModel
internal import MessageFitting
internal import Messaging
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("D6.14: fitting of real files") struct MessageFitterTests {
  private struct Made {
    let message: MessageComposition
    let files: [MediaAttachment.ID: MediaSource]
  }

  private func make(_ names: [String], engine: MediaEngine) async throws -> Made {
    var content: [MessageComposition.Item] = []
    var files: [MediaAttachment.ID: MediaSource] = [:]
    for name in names {
      let source = MediaSource.path(Fixture.path(name))
      let attachment = MediaAttachment(
        id: MediaAttachment.ID(name), name: name.split(separator: "/").last.map(String.init),
        info: try await engine.probe(source))
      content.append(.attachment(AttachmentDraft.Item(attachment)))
      files[attachment.id] = source
    }
    return Made(
      message: MessageComposition(content: content, recipients: [MessageRecipient("5551234")]), files: files)
  }

  private func fitted(
    _ names: [String], _ profile: String, bytes: Int? = nil, transcoder: (any MediaTranscoder)? = nil,
    progress: @escaping @Sendable (MessageFitter.Progress) -> Void = { _ in }
  ) async throws -> MessageFitter.Fitted {
    let engine = try await MediaEngine.forTests()
    let made = try await make(names, engine: engine)
    var profile = try #require(CarrierProfile.preset(profile))
    if let bytes { profile.maxMessageBytes = bytes }
    var fitter = MessageFitter(engine: engine, anyTranscoder: transcoder)
    // The result must not depend on how busy the machine is.
    fitter.limits.renderSeconds = 300
    let result = try await fitter.fit(made.message, under: profile, files: made.files, progress: progress)
    await engine.shutdown()
    guard case .fitted(let message) = result else {
      throw MediaFailure(.tooLarge, "It was refused: \(result)")
    }
    return message
  }

  @Test("The encoded message has the size in the plan, and every file its facts", arguments: [12_000, 40_000, 307_200])
  func exact(limit: Int) async throws {
    let names = ["camera-roll/IMG_0001.jpg", "orientation/landscape-6.jpg", "camera-roll/IMG_0007.avif"]
    let message = try await fitted(names, "mms-300k", bytes: limit)
    let options = MessageComposition.SendOptions(transactionID: String(repeating: "0", count: 40), date: 1_800_000_000)
    let octets = try message.sendRequest(options).encoded()
    #expect(octets.count == message.plan.bytes)
    #expect(octets.count <= limit)
    let engine = try await MediaEngine.forTests()
    for attachment in message.plan.composition.attachments {
      let info = try await engine.probe(.bytes(try #require(message.files[attachment.id])))
      #expect(info.type == attachment.info.type)
      #expect(info.displaySize == attachment.info.displaySize)
      #expect(info.orientation == nil)
      #expect(info.takenAt == nil)
      #expect(info.latitude == nil)
      #expect(info.make == nil)
      #expect(info.embeddedThumbnail == nil)
    }
    await engine.shutdown()
  }

  @Test("R-MMS-42: an image of any orientation is sent upright", arguments: 1...8)
  func upright(orientation: Int) async throws {
    let name = "orientation/landscape-\(orientation).jpg"
    let message = try await fitted([name], "mms-300k")
    let upright = try await fitted(["orientation/landscape-1.jpg"], "mms-300k")
    let id = MediaAttachment.ID(name)
    #expect(
      message.plan.composition.attachments[0].info.displaySize
        == upright.plan.composition.attachments[0].info.displaySize)
    #expect(message.plan.images[id]?.form.encoding == .asIs || orientation != 1)
    #expect(message.plan.changes.map(\.effects) == (orientation == 1 ? [[.stripped]] : [[.recoded]]))
  }

  @Test("A JPEG that is only stripped keeps its pixels") func lossless() async throws {
    let name = "orientation/landscape-1.jpg"
    let message = try await fitted([name], "mms-300k")
    let engine = try await MediaEngine.forTests()
    var request = RenditionRequest(name: "all", box: PixelSize(width: 4_000, height: 4_000))
    request.format = .png
    func pixels(_ source: MediaSource) async throws -> [UInt8]? {
      let info = try await engine.probe(source)
      return try await engine.render(source, info: info, requests: [request]).renditions.first?.data
    }
    let before = try await pixels(.path(Fixture.path(name)))
    let after = try await pixels(.bytes(try #require(message.files[MediaAttachment.ID(name)])))
    #expect(before != nil)
    #expect(before == after)
    await engine.shutdown()
  }

  @Test("A GIF keeps its animation while it fits; then its first frame is sent") func animation() async throws {
    let name = "camera-roll/dance.gif"
    let moving = try await fitted([name], "mms-300k")
    #expect(moving.plan.composition.attachments[0].info.animated == true)
    let bytes = try #require(moving.files[MediaAttachment.ID(name)]).count
    let still = try await fitted([name], "mms-300k", bytes: bytes)
    #expect(still.plan.composition.attachments[0].info.type == .jpeg)
    #expect(still.plan.changes.first?.effects.contains(.firstFrame) == true)
  }

  @Test("Other files only lose their metadata; a missing file is an error") func others() async throws {
    let audio = "camera-roll/Voice 001.m4a"
    let message = try await fitted([audio, "camera-roll/IMG_0001.jpg"], "mms-300k")
    let stripped = try MetadataStripper.strip(Fixture.bytes(audio), type: MediaType("audio/mp4"))
    #expect(message.files[MediaAttachment.ID(audio)] == stripped)
    let engine = try await MediaEngine.forTests()
    let made = try await make(["camera-roll/IMG_0001.jpg"], engine: engine)
    await #expect(throws: MediaFailure.self) {
      try await MessageFitter(engine: engine).fit(made.message, under: CarrierProfile(), files: [:])
    }
    await engine.shutdown()
  }

  /// Gives as many bytes as are allowed.
  private struct Cutter: MediaTranscoder {
    func transcode(
      _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass,
      domain: MediaEngine.TrustDomain?, progress: @escaping @Sendable (TranscodeProgress) -> Void
    ) async throws(MediaFailure) -> TranscodedMedia {
      progress(TranscodeProgress(encoding: 1, seconds: 3))
      return TranscodedMedia(
        info: MediaInfo(type: MediaType("video/mp4"), bytes: 0), data: Array(repeating: 1, count: maxBytes))
    }
  }

  /// Records whose the files are.
  private struct DomainRecorder: MediaTranscoder {
    let domains = Locked<[MediaEngine.TrustDomain?]>([])

    func transcode(
      _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass,
      domain: MediaEngine.TrustDomain?, progress: @escaping @Sendable (TranscodeProgress) -> Void
    ) async throws(MediaFailure) -> TranscodedMedia {
      domains.withLock { $0.append(domain) }
      throw MediaFailure(.unsupported, "It only records.")
    }
  }

  @Test(
    "The transcoder learns whose the files of a message are",
    arguments: [nil, .owner("ada"), .owner("bob")] as [MediaEngine.TrustDomain?])
  func domain(domain: MediaEngine.TrustDomain?) async throws {
    let name = "camera-roll/MOV_0009.mov"
    let engine = try await MediaEngine.forTests()
    let made = try await make([name], engine: engine)
    var profile = try #require(CarrierProfile.preset("mms-1m"))
    profile.maxMessageBytes = 24_000
    let recorder = DomainRecorder()
    var fitter = MessageFitter(engine: engine, anyTranscoder: recorder)
    fitter.domain = domain
    _ = try await fitter.fit(made.message, under: profile, files: made.files)
    await engine.shutdown()
    let found = recorder.domains.withLock { $0 }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0 == domain })
  }

  @Test("A transcoder reduces a video to the remaining bytes") func videos() async throws {
    let name = "camera-roll/MOV_0009.mov"
    let size = try Fixture.bytes(name).count
    let reported = WalkRecord()
    let message = try await fitted(
      [name, "camera-roll/IMG_0001.jpg"], "mms-1m", bytes: size, transcoder: Cutter(), progress: reported.add)
    let video = MessageFitter.Progress.transcoding(MediaAttachment.ID(name), TranscodeProgress(encoding: 1, seconds: 3))
    #expect(reported.all.filter { $0 == video }.count == 1)
    #expect(reported.all.first == .measuring(done: 1, of: 1))
    #expect(Set(reported.all) == [video, .measuring(done: 1, of: 1)])
    #expect(message.plan.changes.contains { $0.id.rawValue == name && $0.effects == [.transcoded] })
    #expect(message.plan.bytes <= size)
    #expect(message.plan.composition.attachments[0].name == "MOV_0009.mp4")
  }

  @Test(
    "D6.10: the location is stripped from a video that fits, with a transcoder and without", arguments: [false, true])
  func stripped(transcodes: Bool) async throws {
    let name = "camera-roll/VID_0008.mp4"
    let message = try await fitted([name], "mms-600k", transcoder: transcodes ? Refuser() : nil)
    let data = try #require(message.files[MediaAttachment.ID(name)])
    let engine = try await MediaEngine.forTests()
    let (old, new) = (try await engine.probe(.path(Fixture.path(name))), try await engine.probe(.bytes(data)))
    await engine.shutdown()
    #expect(old.latitude != nil)
    #expect(old.takenAt != nil)
    #expect(message.plan.changes.map(\.effects) == [[.stripped]])
    #expect(message.plan.failures.isEmpty)
    // The facts in the plan are those of the file.
    #expect(message.plan.composition.attachments.map(\.info) == [new])
    #expect(new.latitude == nil)
    #expect(new.takenAt == nil)
    #expect(new.bytes == old.bytes)
    #expect(new.rotation == old.rotation)
    #expect(new.displaySize == old.displaySize)
  }

  @Test("D6.10: a video that cannot be stripped is transcoded, or is refused without a transcoder")
  func unstrippable() async throws {
    let name = "formats/clip.avi"
    let (id, size) = (MediaAttachment.ID(name), try Fixture.bytes(name).count)
    let message = try await fitted([name], "mms-600k", transcoder: Cutter())
    #expect(message.plan.changes.map(\.effects) == [[.transcoded]])
    #expect(message.plan.failures.isEmpty)
    #expect(message.files[id]?.count == size)
    await #expect(throws: MediaFailure.self) { try await fitted([name], "mms-600k") }
  }

  @Test("D6.10: an audio file loses its tags, unless metadata is kept") func audios() async throws {
    let name = "formats/tone.m4a"
    let ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
    let engine = try await MediaEngine.forTests()
    for place in [true, false] {
      let folder = try TemporaryFolder()
      let path = folder.path("tone.m4a")
      _ = try ffmpeg.output(
        ["-v", "error", "-nostdin", "-i", Fixture.path(name), "-c", "copy", "-metadata", "title=A song"]
          // The tag that telephones write into a memo.
          + (place ? ["-metadata", "location=+48.2082+016.3738/", "-f", "mov"] : []) + [path])
      let source = MediaSource.path(path)
      let attachment = MediaAttachment(id: "audio", name: "tone.m4a", info: try await engine.probe(source))
      #expect(attachment.info.kind == .audio)
      #expect((attachment.info.latitude != nil) == place)
      let message = MessageComposition(
        content: [.attachment(AttachmentDraft.Item(attachment))], recipients: [MessageRecipient("5551234")])
      for rule in [MessageFit.MetadataRule.strip, .keep] {
        var fitter = MessageFitter(engine: engine)
        fitter.metadata = rule
        guard
          case .fitted(let fitted) = try await fitter.fit(message, under: CarrierProfile(), files: ["audio": source])
        else { throw MediaFailure(.tooLarge, "It was refused.") }
        let new = try await engine.probe(.bytes(try #require(fitted.files["audio"])))
        #expect(fitted.plan.changes.map(\.effects) == (rule == .strip ? [[.stripped]] : []))
        #expect((new.latitude == nil) == (rule == .strip || !place))
        #expect((new.title == nil) == (rule == .strip))
        #expect(new.duration == attachment.info.duration)
      }
    }
    await engine.shutdown()
  }

  /// The progress reported so far.
  private final class WalkRecord: Sendable {
    private let steps = Locked<[MessageFitter.Progress]>([])

    var all: [MessageFitter.Progress] { steps.withLock { $0 } }

    @Sendable func add(_ step: MessageFitter.Progress) { steps.withLock { $0.append(step) } }
  }

  private struct Refuser: MediaTranscoder {
    func transcode(
      _ source: MediaSource, info: MediaInfo, maxBytes: Int, contentClass: CarrierProfile.ContentClass,
      domain: MediaEngine.TrustDomain?, progress: @escaping @Sendable (TranscodeProgress) -> Void
    ) async throws(MediaFailure) -> TranscodedMedia { throw MediaFailure(.timedOut, "It took too long.") }
  }

  @Test("A video that could not be transcoded is sent unchanged with its failure") func notTranscoded() async throws {
    let name = "camera-roll/VID_0008.mp4"
    // H.264, which old phones do not know; without its metadata at least.
    let message = try await fitted([name], "video-rich", transcoder: Refuser())
    #expect(message.plan.changes.map(\.effects) == [[.stripped]])
    #expect(message.plan.failures.mapValues(\.code) == [MediaAttachment.ID(name): .timedOut])
    let isStripped = try message.files[MediaAttachment.ID(name)] == VideoMetadataStripper.strip(Fixture.bytes(name))
    #expect(isStripped)
    // One that they know has not failed.
    #expect(try await fitted([name], "mms-600k", transcoder: Refuser()).plan.failures.isEmpty)
  }
}
