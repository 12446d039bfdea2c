internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import Testing

extension FitRulesTests {
  private func video(_ id: MediaAttachment.ID, _ type: String, _ codec: String, bytes: Int) -> MediaAttachment {
    var info = MediaInfo(type: MediaType(type), bytes: bytes)
    (info.videoCodec, info.duration, info.width, info.height) = (codec, 5, 320, 240)
    (info.latitude, info.longitude, info.altitude) = (48.2, 16.4, 170)
    (info.takenAtSource, info.make, info.model, info.title) = (.quicktime, "Kestrel", "Kestrel 7", "Us")
    return MediaAttachment(id: id, name: "v.mp4", info: info)
  }

  @Test("D6.10: a video that is sent without transcoding loses its metadata, and its facts reflect that")
  func stripped() throws {
    var model = FitModel(detail: [:])
    let profile = try #require(CarrierProfile.preset("mms-600k"))
    let old = video("v", "video/mp4", "h264", bytes: 100_000)
    for transcodes in [false, true] {
      guard case .fitted(let plan) = model.fit(message([old]), under: profile, transcodes: transcodes) else {
        throw Unexpected(what: "refused")
      }
      let info = plan.composition.attachments[0].info
      #expect(plan.changes.map(\.effects) == [[.stripped]])
      #expect(plan.failures.isEmpty)
      #expect(plan.changes.allSatisfy { $0.from == $0.to })
      #expect(info.bytes == 100_000)
      #expect(info.videoCodec == "h264")
      #expect(info.latitude == nil)
      #expect(info.longitude == nil)
      #expect(info.altitude == nil)
      #expect(info.takenAtSource == nil)
      #expect(info.make == nil)
      #expect(info.model == nil)
      #expect(info.title == nil)
    }
    model.stripping["v"] = .unchanged
    guard case .fitted(let plan) = model.fit(message([old]), under: profile) else { throw Unexpected(what: "refused") }
    #expect(plan.changes.isEmpty)
    #expect(plan.composition.attachments[0].info.latitude == 48.2)
  }

  @Test(
    "A video whose metadata cannot be stripped is transcoded to at most its size; without a transcoder, it is refused")
  func unstrippable() throws {
    var model = FitModel(detail: [:])
    model.stripping["v"] = .impossible
    let profile = try #require(CarrierProfile.preset("mms-600k"))
    let videos = [video("v", "video/mp4", "h264", bytes: 100_000), video("w", "video/mp4", "h264", bytes: 50_000)]
    guard case .fitted(let plan) = model.fit(message(videos), under: profile, transcodes: true) else {
      throw Unexpected(what: "refused")
    }
    #expect(plan.changes.map(\.effects) == [[.transcoded], [.stripped]])
    #expect(plan.failures.isEmpty)
    #expect(plan.composition.attachments[0].info.bytes <= 100_000)
    // Too short a video for what the model can make of so many bytes.
    let small = video("v", "video/mp4", "h264", bytes: 10_000)
    for (videos, transcodes) in [(videos, false), ([small], true)] {
      guard case .refused(let refusal) = model.fit(message(videos), under: profile, transcodes: transcodes) else {
        throw Unexpected(what: "fitted")
      }
      #expect(refusal.withMetadata == ["v"])
      #expect(refusal.remove == ["v"])
      guard
        case .fitted(let plan) = model.fit(
          message(videos), under: profile, transcodes: transcodes, metadata: .keep)
      else { throw Unexpected(what: "refused") }
      #expect(plan.changes.isEmpty)
      #expect(plan.composition.attachments[0].info.latitude == 48.2)
    }
  }

  @Test("One rule for all kinds of files: strip, keep, refuse") func metadataRule() throws {
    let audio = MediaAttachment(id: "a", info: MediaInfo(type: MediaType("audio/mpeg"), bytes: 20_000))
    let document = MediaAttachment(id: "d", info: MediaInfo(type: .pdf, bytes: 10_000))
    let photo = image("p", .jpeg, 640, 480, bytes: 60_000)
    let files = [audio, document, photo]
    var model = FitModel(detail: [:])
    model.stripping = ["a": .stripped, "d": .impossible, "p": .stripped]
    guard case .refused(let refusal) = model.fit(message(files), under: CarrierProfile()) else {
      throw Unexpected(what: "fitted")
    }
    #expect(refusal.withMetadata == ["d"], "no transcoder makes a document")
    #expect(refusal.remove == ["d"])
    guard case .refused(let transcoding) = model.fit(message(files), under: CarrierProfile(), transcodes: true) else {
      throw Unexpected(what: "fitted")
    }
    #expect(transcoding.withMetadata == ["d"])
    guard case .fitted(let kept) = model.fit(message(files), under: CarrierProfile(), metadata: .keep) else {
      throw Unexpected(what: "refused")
    }
    #expect(!kept.changes.contains { $0.id == "a" || $0.id == "d" })
    guard case .refused(let all) = model.fit(message(files), under: CarrierProfile(), metadata: .refuse) else {
      throw Unexpected(what: "fitted")
    }
    #expect(all.withMetadata == ["a", "d", "p"])
    model.stripping = ["a": .unchanged, "d": .unchanged, "p": .unchanged]
    guard case .fitted(let clean) = model.fit(message([audio, document]), under: CarrierProfile(), metadata: .refuse)
    else {
      throw Unexpected(what: "refused")
    }
    #expect(clean.changes.isEmpty)
  }

  @Test("With `refuse` a file that can never fit is not read", arguments: [false, true])
  func refuseReadsNoFileInVain(transcodes: Bool) throws {
    let video = MediaAttachment(id: "v", info: MediaInfo(type: MediaType("video/mp4"), bytes: 90_000_000))
    let document = MediaAttachment(id: "d", info: MediaInfo(type: .pdf, bytes: 90_000_000))
    let small = MediaAttachment(id: "s", info: MediaInfo(type: .pdf, bytes: 9_000))
    let photo = image("p", .jpeg, 4_000, 3_000, bytes: 9_000_000)
    let composition = message([video, document, small, photo])
    var fit = MessageFit(composition, under: CarrierProfile(), transcodes: transcodes, metadata: .refuse)
    guard case .strip(let files) = fit.next() else { throw Unexpected(what: "no file is read") }
    // An image and, with a transcoder, a video can be made smaller.
    #expect(files == (transcodes ? ["v", "s", "p"] : ["s", "p"]))
    var model = FitModel(detail: [:])
    model.stripping = ["v": .unchanged]
    guard
      case .refused(let refusal) = model.fit(message([video, document]), under: CarrierProfile(), metadata: .refuse)
    else { throw Unexpected(what: "fitted") }
    #expect(refusal.withMetadata.isEmpty)
    #expect(refusal.bytes > refusal.limit)
  }

  @Test("An image that cannot be decoded is stripped, or is refused; a turned one is not shown otherwise")
  func damaged() throws {
    for (stripping, orientation, isSent) in [
      (MessageFit.Stripping.stripped, MediaInfo.Orientation.up, true), (.impossible, .up, false),
      (.stripped, .right, false),
    ] {
      var photo = image("p", .jpeg, 4_000, 3_000, bytes: 60_000)
      photo.info.orientation = orientation
      photo.info.latitude = 48
      var model = FitModel(detail: [:])
      model.broken = ["p"]
      model.stripping = ["p": stripping]
      switch model.fit(message([photo]), under: CarrierProfile()) {
      case .fitted(let plan):
        #expect(isSent)
        #expect(plan.composition.attachments[0].info.latitude == nil)
        #expect(plan.withoutMetadata == ["p"])
      case .refused(let refusal):
        #expect(!isSent)
        #expect(refusal.withMetadata == ["p"])
      }
    }
  }

  @Test("Every file that could be sent without a new encoding is stripped, except images, which are measured first")
  func stripping() {
    func audio(_ id: MediaAttachment.ID, latitude: Double?) -> MediaAttachment {
      var info = MediaInfo(type: MediaType("audio/mp4"), bytes: 10_000)
      (info.latitude, info.title) = (latitude, "A song")
      return MediaAttachment(id: id, info: info)
    }
    let files = [
      video("fits", "video/mp4", "h264", bytes: 90_000), audio("song", latitude: nil), audio("placed", latitude: 48),
      video("large", "video/mp4", "h264", bytes: 900_000), image("picture", .jpeg, 100, 100, bytes: 9_000),
      video("other", "video/webm", "vp9", bytes: 9_000),
    ]
    var fit = MessageFit(message(files), under: CarrierProfile(), transcodes: true)
    #expect(fit.next() == .strip(["fits", "song", "placed", "other"]))
  }
}
