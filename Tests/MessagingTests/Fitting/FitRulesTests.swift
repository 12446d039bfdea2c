internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import Testing

@Suite("R-MMS-61: fitting, by kind of media") struct FitRulesTests {
  func message(_ attachments: [MediaAttachment]) -> MessageComposition {
    MessageComposition(
      content: attachments.map { .attachment(AttachmentDraft.Item($0)) }, recipients: [MessageRecipient("5551234")])
  }

  func image(
    _ id: MediaAttachment.ID, _ type: MediaType, _ width: Int, _ height: Int, bytes: Int
  ) -> MediaAttachment {
    var info = MediaInfo(type: type, bytes: bytes)
    (info.width, info.height) = (width, height)
    return MediaAttachment(id: id, name: "\(id).\(info.extension ?? "bin")", info: info)
  }

  private func plan(
    _ attachments: [MediaAttachment], _ profile: String = "mms-300k", detail: Double = 0.1
  ) throws -> MessageFit.Plan {
    var model = FitModel(detail: Dictionary(uniqueKeysWithValues: attachments.map { ($0.id, detail) }))
    let profile = try #require(CarrierProfile.preset(profile))
    guard case .fitted(let plan) = model.fit(message(attachments), under: profile) else {
      throw Unexpected(what: "refused")
    }
    return plan
  }

  struct Unexpected: Error { let what: String }

  @Test("A file that fits is not encoded again; only its metadata is stripped") func asIs() throws {
    let attachments = [image("a", .jpeg, 640, 480, bytes: 90_000), image("b", .gif, 100, 100, bytes: 9_000)]
    var model = FitModel(detail: [:])
    let outcome = model.fit(message(attachments), under: CarrierProfile())
    guard case .fitted(let plan) = outcome else { throw Unexpected(what: "\(outcome)") }
    #expect(model.encoded.values.allSatisfy { $0 == 0 })
    #expect(plan.changes.map(\.effects) == [[.stripped], [.stripped]])
  }

  @Test("The box of the profile is rotated for a portrait image") func portrait() throws {
    let plan = try plan([image("a", .jpeg, 3_000, 4_000, bytes: 3_000_000)], detail: 0.02)
    #expect(plan.composition.attachments[0].info.displaySize == PixelSize(width: 360, height: 480).scaledUp)
  }

  @Test("A rotated image is encoded again, upright") func turned() throws {
    var attachment = image("a", .jpeg, 640, 480, bytes: 90_000)
    attachment.info.orientation = MediaInfo.Orientation(rawValue: 6)
    #expect(try plan([attachment]).changes.map(\.effects) == [[.recoded]])
  }

  @Test("PNG stays PNG if receivers display it; otherwise it becomes JPEG on white") func transparency() throws {
    var attachment = image("a", .png, 600, 400, bytes: 60_000)
    attachment.info.alpha = true
    let modern = try plan([attachment], "mms-600k")
    #expect(modern.composition.attachments[0].info.type == .png)
    let old = try plan([attachment], "mms-300k")
    #expect(old.composition.attachments[0].info.type == .jpeg)
    #expect(old.composition.attachments[0].name == "a.jpg")
    #expect(old.changes.map(\.effects) == [[.recoded, .flattened]])
  }

  @Test("A GIF stays animated while it fits; otherwise its first frame is sent") func animation() throws {
    var attachment = image("a", .gif, 400, 300, bytes: 250_000)
    (attachment.info.animated, attachment.info.frames) = (true, 20)
    let kept = try plan([attachment, image("b", .jpeg, 4_000, 3_000, bytes: 2_000_000)])
    #expect(kept.composition.attachments[0].info.animated == true)
    attachment.info.bytes = 350_000
    let still = try plan([attachment])
    #expect(still.composition.attachments[0].info.type == .jpeg)
    #expect(still.changes.map(\.effects) == [[.recoded, .firstFrame]])
  }

  @Test("Of a camera raw the preview is sent, and the change says so") func raw() throws {
    let raw = image("a", MediaType("image/x-adobe-dng"), 4_000, 3_000, bytes: 20_000_000)
    let plan = try plan([raw, image("b", .jpeg, 4_000, 3_000, bytes: 2_000_000)])
    #expect(plan.changes.map { $0.effects.contains(.preview) } == [true, false])
    #expect(plan.composition.attachments[0].info.type == .jpeg)
  }

  @Test("Audio files, contacts and texts get their bytes first") func reserved() throws {
    let audio = MediaAttachment(
      id: "s", name: "s.amr", info: MediaInfo(type: MediaType("audio/amr"), bytes: 280_000))
    let plan = try plan([audio, image("a", .jpeg, 4_000, 3_000, bytes: 2_000_000)])
    #expect(plan.composition.attachments[0].info == audio.info)
    #expect(plan.composition.attachments[1].info.bytes < 28_000)
    #expect(plan.bytes <= 307_200)
    #expect(plan.changes.map(\.id) == ["a"])
  }

  @Test("R-MMS-61: an image that gains more per byte gets more bytes, up to the limit") func byNeed() throws {
    let attachments = ["plain", "busy"].map {
      image(MediaAttachment.ID($0), .jpeg, 4_000, 3_000, bytes: 3_000_000)
    }
    var model = FitModel(detail: ["plain": 0.02, "busy": 0.3])
    var profile = CarrierProfile()
    profile.maxMessageBytes = 60_000
    guard case .fitted(let plan) = model.fit(message(attachments), under: profile) else {
      throw Unexpected(what: "refused")
    }
    #expect(plan.composition.attachments[1].info.bytes > 2 * plan.composition.attachments[0].info.bytes)
    #expect(plan.bytes <= 60_000, "each change is reported")
    #expect(plan.changes.count == 2, "each change is reported")
    #expect(plan.bytes > 57_000, "nearly all of the limit is used")
  }

  @Test("An image between two file sizes is not left at the smaller one for lack of an attempt") func belowTheSource()
    throws
  {
    // Rotated, so it must be encoded again; the best of its first forms would be larger than the file.
    var attachment = image("a", .jpeg, 640, 480, bytes: 60_000)
    attachment.info.orientation = .right
    let plan = try plan([attachment], detail: 0.1)
    #expect((50_000...60_000).contains(plan.composition.attachments[0].info.bytes))
  }

  @Test("A video is sent unchanged, or gets the share that it needs if there is a transcoder") func videos() throws {
    var info = MediaInfo(type: MediaType("video/mp4"), bytes: 900_000)
    (info.duration, info.videoCodec) = (10, "h264")
    let video = MediaAttachment(id: "v", name: "v.mp4", info: info)
    let attachments = [video, image("a", .jpeg, 4_000, 3_000, bytes: 3_000_000)]
    let profile = try #require(CarrierProfile.preset("mms-600k"))
    var model = FitModel(detail: ["a": 0.1])
    guard case .refused(let refusal) = model.fit(message(attachments), under: profile) else {
      throw Unexpected(what: "fitted")
    }
    #expect(refusal.remove == ["v"])
    guard case .fitted(let plan) = model.fit(message(attachments), under: profile, transcodes: true) else {
      throw Unexpected(what: "refused")
    }
    #expect(plan.changes.map(\.effects) == [[.transcoded], [.recoded, .resized]])
    #expect(plan.composition.attachments[0].info.bytes > 250_000)
  }

  @Test(
    "A video that fits is transcoded if receivers do not support its codec or container",
    arguments: [
      ("video/mp4", "h264", false), ("video/quicktime", "h264", false), ("video/3gpp", "h263", false),
      ("video/mp4", "hevc", true), ("video/x-matroska", "h264", true), ("video/x-msvideo", "mpeg4", true),
    ])
  func playable(type: String, codec: String, becomesAnother: Bool) throws {
    var info = MediaInfo(type: MediaType(type), bytes: 100_000)
    (info.videoCodec, info.duration) = (codec, 5)
    var model = FitModel(detail: [:])
    let video = MediaAttachment(id: "v", name: "v.bin", info: info)
    let profile = try #require(CarrierProfile.preset("mms-600k"))
    let outcome = model.fit(message([video]), under: profile, transcodes: true)
    guard case .fitted(let plan) = outcome else { throw Unexpected(what: "refused") }
    #expect(plan.changes.map(\.effects) == [[becomesAnother ? .transcoded : .stripped]])
  }

  @Test("Impossible facts of an image never trap") func impossibleFacts() throws {
    var profile = CarrierProfile()
    profile.maxImageSize = PixelSize(width: .max, height: .max)
    var model = FitModel(detail: ["a": 0.1])
    _ = model.fit(message([image("a", .jpeg, .max, .max, bytes: .max)]), under: profile)
    _ = model.fit(message([image("a", .heic, .max, 1, bytes: 1)]), under: profile)
  }

  @Test("A class without images refuses them; text alone is an SMS and always fits") func refusals() throws {
    let text = try #require(CarrierProfile.preset("text"))
    var model = FitModel(detail: [:])
    let outcome = model.fit(message([image("a", .jpeg, 10, 10, bytes: 100)]), under: text)
    guard case .refused(let refusal) = outcome else { throw Unexpected(what: "\(outcome)") }
    #expect(refusal.remove == ["a"])
    #expect(refusal.unsupported == ["a"])
    guard case .fitted(let plan) = model.fit(.text("Hello", to: "5551234"), under: text) else {
      throw Unexpected(what: "refused")
    }
    #expect(plan.changes.isEmpty)
    #expect(plan.bytes == 5)
  }

  @Test("A text that is too long alone is reported with its excess") func longText() throws {
    var profile = CarrierProfile()
    profile.maxMessageBytes = 10_000
    var model = FitModel(detail: [:])
    let long = MessageComposition.text(String(repeating: "x", count: 12_000), to: "5551234")
    guard case .refused(let refusal) = model.fit(long, under: profile) else { throw Unexpected(what: "fitted") }
    #expect(refusal.remove.isEmpty)
    #expect(try #require(refusal.textExcess) > 2_000)
  }
}

extension PixelSize {
  /// 480 × 640: what a portrait of 3:4 has in a box of 640 × 480 that was turned.
  fileprivate var scaledUp: PixelSize { PixelSize(width: width * 4 / 3, height: height * 4 / 3) }
}
