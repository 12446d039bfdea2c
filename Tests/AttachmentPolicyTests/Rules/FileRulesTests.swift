internal import AttachmentPolicy
internal import MediaModel
internal import Testing

@Suite("Reasons to refuse a file by itself") struct FileRulesTests {
  private let rules = AttachmentRules()

  private func reasons(_ info: MediaInfo, _ change: (inout AttachmentRules) -> Void = { _ in }) -> [Verdict.Reason] {
    var rules = rules
    change(&rules)
    return rules.reasons(against: info)
  }

  @Test("R-TRAY-10: a size equal to the limit is accepted, one more byte is refused") func bytes() {
    #expect(reasons(Sample.info(bytes: 104_857_600)) == [])
    #expect(
      reasons(Sample.info(bytes: 104_857_601)) == [.fileTooLarge(limit: 104_857_600, actual: 104_857_601)])
    #expect(reasons(Sample.info(bytes: .max)) == [.fileTooLarge(limit: 104_857_600, actual: .max)])
    #expect(reasons(Sample.info(bytes: .max)) { $0.maxFileBytes = nil } == [])
  }

  @Test("C21: pixels of all frames count, a value equal to the limit is accepted, and products saturate") func pixels()
  {
    func image(_ width: Int, _ height: Int, frames: Int? = nil) -> MediaInfo {
      var info = Sample.info(width: width, height: height)
      info.frames = frames
      return info
    }
    let limit = 7_680 * 4_320
    let eightK: (inout AttachmentRules) -> Void = { $0.maxPixels = limit }
    #expect(reasons(image(7_680, 4_320), eightK) == [])
    #expect(
      reasons(image(7_680, 4_321), eightK) == [.tooManyPixels(limit: limit, actual: 7_680 * 4_321)])
    #expect(reasons(image(100, 100, frames: 3_318), eightK) == [.tooManyPixels(limit: limit, actual: 33_180_000)])
    #expect(reasons(image(1 << 32, 1 << 32), eightK) == [.tooManyPixels(limit: limit, actual: .max)], "not 0")
    #expect(
      reasons(image(1 << 31, 1 << 31, frames: 1 << 10), eightK) == [.tooManyPixels(limit: limit, actual: .max)])
    // Numbers that no reader gives, and that must not count for or against a file.
    #expect(reasons(image(-7_681, -4_320), eightK) == [])
    #expect(reasons(image(100, 100, frames: -5), eightK) == [])
    var video = Sample.info(MediaType("video/mp4"), width: 7_680, height: 4_320)
    video.frames = 9_000
    #expect(reasons(video, eightK) == [], "the frames of a video are never all there at once")
  }

  @Test("R-CHAT-3, R-CHAT-4: a kind of media can override the common limits") func kindLimits() {
    var voice = Sample.info(MediaType("audio/mp4"), bytes: 2_000_000)
    voice.duration = 60
    let limits: (inout AttachmentRules) -> Void = {
      $0.maxFileBytes = 1_000_000
      $0.maxDuration = 600
      $0.kindLimits[.audio] = .init(maxFileBytes: 2_000_000, maxDuration: 60)
    }
    #expect(reasons(voice, limits) == [])
    voice.duration = 60.001
    voice.bytes += 1
    #expect(
      reasons(voice, limits)
        == [.fileTooLarge(limit: 2_000_000, actual: 2_000_001), .tooLong(limit: 60, actual: 60.001)])
    var video = Sample.info(MediaType("video/mp4"), bytes: 1_000_000)
    video.duration = 600
    #expect(reasons(video, limits) == [])
    video.bytes += 1
    #expect(reasons(video, limits) == [.fileTooLarge(limit: 1_000_000, actual: 1_000_001)])
    video.bytes = 1
    for length in [Double.nan, .infinity, -.infinity] {
      video.duration = length
      #expect(reasons(video, limits) == [], "\(length) is no length")
    }
  }

  @Test("R-CHAT-3: only allowed kinds and types are accepted") func kindsAndTypes() {
    let kinds: (inout AttachmentRules) -> Void = { $0.allowedKinds = [.image, .audio] }
    #expect(reasons(Sample.info(), kinds) == [])
    #expect(reasons(Sample.info(.pdf), kinds) == [.kindNotAllowed(.document)])
    let types: (inout AttachmentRules) -> Void = { $0.allowedTypes = [.jpeg] }
    #expect(reasons(Sample.info(), types) == [])
    #expect(reasons(Sample.info(.png), types) == [.typeNotAllowed(.png)])
    #expect(reasons(Sample.info(.pdf)) == [], "by default everything may go")
  }

  @Test("R-MYM-20, R-MYM-21: the content decides the type; a mismatch of kind and active content are refused")
  func mismatches() {
    func named(_ class: MediaInfo.Mismatch.Class) -> MediaInfo {
      var info = Sample.info(.svg)
      info.mismatch = MediaInfo.Mismatch(declared: "jpg", by: .extension, class: `class`)
      return info
    }
    #expect(reasons(named(.format)) == [])
    for `class` in [MediaInfo.Mismatch.Class.kind, .active] {
      #expect(reasons(named(`class`)) == [.typeMismatch(declared: "jpg", actual: .svg)])
      #expect(reasons(named(`class`)) { $0.refusedMismatches = [] } == [])
    }
    #expect(
      reasons(named(.format)) { $0.refusedMismatches = [.format] } == [.typeMismatch(declared: "jpg", actual: .svg)])
  }

  @Test("An empty file has `empty` as its only reason") func empty() {
    #expect(reasons(Sample.info(bytes: 0)) == [.empty])
    #expect(reasons(Sample.info(bytes: -1)) == [.empty])
    var info = Sample.info(.octetStream, bytes: 0)
    info.error = MediaFailure(.empty, "The file is empty.")
    #expect(reasons(info) { $0.allowedKinds = [.image] } == [.empty])
  }

  @Test(
    "A read failure is a reason; an unrecognised type is not",
    arguments: [
      MediaFailure.Code.notFound, .accessDenied, .unreadable, .truncated, .corrupt, .timedOut, .outOfMemory,
      .decoderCrashed, .cancelled, .tooManyPixels, .tooManyFrames, .tooLarge, .init(rawValue: "of a newer version"),
    ])
  func unreadable(code: MediaFailure.Code) {
    var info = Sample.info(bytes: .max)
    info.error = MediaFailure(code, "?")
    #expect(reasons(info) == [.unreadable(code)])
    let damaged = [.truncated, .corrupt].contains(code)
    #expect(
      reasons(info) {
        $0.refusesDamagedFiles = false
        $0.maxFileBytes = nil
      } == (damaged ? [] : [.unreadable(code)]))
    // A file that is not there has no size, and is not empty.
    info.bytes = 0
    #expect(reasons(info) == [.unreadable(code)])
  }

  @Test(
    "A file of an unknown, unsupported or encrypted format is accepted as one of the kind other",
    arguments: [MediaFailure.Code.unrecognized, .unsupported, .encrypted])
  func unrecognizedFilesAreAccepted(code: MediaFailure.Code) {
    var info = Sample.info(.octetStream)
    info.error = MediaFailure(code, "?")
    #expect(reasons(info) == [])
    #expect(reasons(info) { $0.allowedKinds = [.image] } == [.kindNotAllowed(.other)])
  }

  @Test("All reasons are reported in a fixed order") func several() {
    var info = Sample.info(MediaType("video/mp4"), bytes: 200, width: 100, height: 100)
    info.duration = 9
    info.mismatch = MediaInfo.Mismatch(declared: "jpg", by: .client, class: .kind)
    let found = reasons(info) {
      $0.allowedKinds = [.image]
      $0.allowedTypes = [.jpeg]
      $0.maxFileBytes = 100
      $0.maxPixels = 100
      $0.maxDuration = 1
    }
    #expect(
      found.map(\.code.rawValue) == [
        "kindNotAllowed", "typeNotAllowed", "typeMismatch", "fileTooLarge", "tooManyPixels", "tooLong",
      ])
  }

  @Test("C4: disabled attachments are the only reason") func disabled() {
    #expect(reasons(Sample.info(bytes: 0)) { $0.allowsAttachments = false } == [.attachmentsDisabled])
  }
}
