internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Messages") struct MessageTests {
  private var webp: [UInt8] { Array("RIFF\0\0\0\0WEBPVP8 ".utf8) }

  private var result: MediaJobResult {
    var info = MediaInfo(type: .jpeg, bytes: 1_234)
    (info.width, info.height) = (4_032, 3_024)
    info.duration = 0.1 + 0.2
    info.latitude = -1e-300
    info.title = "a\u{0}\u{2028}\"\\é"
    info.takenAt = CaptureTime(iso8601: "2018-07-25T16:34:23+02:00")
    info.error = MediaFailure(.truncated, "It ends early.", detail: "\u{FFFD}")
    let grid = Rendition(name: "grid", type: .webp, width: 256, height: 256, from: .image, quality: 79, data: webp)
    let view = Rendition(name: "view", type: .webp, width: 9, height: 8, frames: 3, from: .poster, data: webp + [1])
    let thumbnails = ThumbnailResult(
      renditions: [grid, view], placeholder: Placeholder(thumbhash: "t", blurhash: "b", color: "#010203"),
      posterTime: 1 / 3, framesDecoded: 7, peaks: [0, 1 / 3, 1], icon: .video, bytesRead: 99)
    let strip = Rendition(name: "storyboard", type: .webp, width: 9, height: 9, from: .poster, data: webp)
    let tile = Storyboard.Tile(place: PixelRect(x: 0, y: 0, width: 9, height: 9), start: 0, end: 0.7)
    return MediaJobResult(
      info: info, thumbnails: thumbnails, storyboard: Storyboard(strip: strip, tiles: [tile]), bytesRead: 77)
  }

  private var job: MediaJob {
    let requests = ["grid", "view"].compactMap(RenditionRequest.named)
    return MediaJob(
      facts: .found(ProbeOptions(), claim: .fileName("a.jpg")),
      pictures: .init(options: ThumbnailOptions(), requests: requests, storyboardFrames: 1))
  }

  @Test func aResultComesBackToTheLastBit() throws {
    let frame = try Messages.frame(result, job: 7)
    #expect(try Messages.result(of: frame) == result)
    try ResultCheck.check(result, of: job, size: 1_234)
  }

  private var film: MediaJobResult {
    let file = TranscodedFile(
      type: MediaType("video/mp4"), width: 320, height: 240, duration: 1.5, frames: 45, videoCodec: "h264",
      audioCodec: "aac", isCopy: true, isCut: true, data: [0, 0, 0, 8] + Array("ftypisom".utf8))
    var result = result
    result.transcoded = TranscodeResult(file: file, fittingDuration: 2.5, encodings: 3, bytesRead: 9)
    return result
  }

  private var filmJob: MediaJob {
    var job = job
    job.transcoding = TranscodeRequest(format: .mp4(.level3), maxBytes: 12)
    return job
  }

  @Test func aNewFileComesBackToTheLastBit() throws {
    let frame = try Messages.frame(film, job: 7)
    #expect(try Messages.result(of: frame) == film)
    try ResultCheck.check(film, of: filmJob, size: 1_234)
    #expect(try Messages.value(MediaJob.self, of: Messages.frame(.job, job: 1, filmJob)) == filmJob)
  }

  @Test(arguments: ["unasked", "large", "type", "signature", "width", "duration", "code", "encodings"])
  func aNewFileThatCouldHurtIsNotBelieved(lie: String) throws {
    var (told, job) = (film, filmJob)
    switch lie {
    case "unasked": job.transcoding = nil
    case "large": job.transcoding?.maxBytes = 11
    case "type": told.transcoded?.file?.type = MediaType("text/html")
    case "signature": told.transcoded?.file?.data = Array("<html><html>".utf8)
    case "width": told.transcoded?.file?.width = -1
    case "duration": told.transcoded?.file?.duration = -.infinity
    case "code": told.transcoded?.error = MediaFailure(.init(rawValue: "a b"), "")
    default: told.transcoded?.encodings = -1
    }
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(told, of: job, size: 1_234) }
  }

  @Test func numbersThatAreNoneComeBackToo() throws {
    var odd = result
    odd.info.duration = .infinity
    odd.info.altitude = -.infinity
    odd.thumbnails?.peaks = [.nan]
    let back = try Messages.result(of: Messages.frame(odd, job: 7))
    #expect(back.info.duration == .infinity && back.info.altitude == -.infinity)
    #expect(back.thumbnails?.peaks?.first?.isNaN == true)
  }

  @Test func aJobComesBackAsItWas() throws {
    var job = job
    job.pictures?.options.posterPosition = .fraction(0.25)
    job.pictures?.requests[0].encoding = .maxBytes(9)
    job.pictures?.requests[0].crop = PixelRect(x: 1, y: 2, width: 3, height: 4)
    let frame = try Messages.frame(.job, job: 1, job)
    #expect(try Messages.value(MediaJob.self, of: frame) == job)
  }

  @Test(arguments: [
    ("/home/ada/secret/a.tar.JPG", "-.JPG"), ("b.png", "-.png"), ("/x.y/none", nil), (".profile", nil), ("", nil),
  ])
  func noPathReachesAHelper(path: String, claim: String?) {
    let job = MediaJob(facts: .found(ProbeOptions(), claim: .fileName(path)))
    #expect(job.withoutPath.facts == .found(ProbeOptions(), claim: claim.map { .fileName($0) }))
    let sent = MediaJob(facts: .found(ProbeOptions(), claim: .mediaType("image/png")))
    #expect(sent.withoutPath == sent)
  }

  @Test func picturesMustFillTheBytesExactly() throws {
    let frame = try Messages.frame(result, job: 7)
    for bytes in [Array(frame.bytes.dropLast()), frame.bytes + [0], []] {
      let other = try #require(Frame(kind: .result, job: 7, text: frame.text, bytes: bytes))
      #expect(throws: ProtocolViolation.self) { try Messages.result(of: other) }
    }
    let text = String(decoding: frame.text, as: UTF8.self)
    for length in ["-1", "9223372036854775807"] {
      let wrong = text.replacingOccurrences(of: "\"length\":16", with: "\"length\":\(length)")
      #expect(wrong != text)
      let other = try #require(Frame(kind: .result, job: 7, text: Array(wrong.utf8), bytes: frame.bytes))
      #expect(throws: ProtocolViolation.self) { try Messages.result(of: other) }
    }
  }

  @Test func nothingButTheJSONOfAResultIsOne() throws {
    for text in ["", "{", "[]", "null", "{}", "{\"info\":7}", String(repeating: "[", count: 100_000)] {
      let frame = try #require(Frame(kind: .result, job: 7, text: Array(text.utf8)))
      #expect(throws: ProtocolViolation.self) { try Messages.result(of: frame) }
    }
  }

  /// What a helper that a file has taken over could say, each refused.
  @Test(arguments: [
    "size", "negative", "rendition", "order", "type", "signature", "side", "empty", "peaks", "frames", "code",
    "bytesRead",
    "tiles",
  ])
  func aLieThatCouldHurtIsNotBelieved(lie: String) throws {
    var told = result
    switch lie {
    case "size": told.info.bytes = 1_235
    case "negative": told.info.width = -1
    case "rendition": told.thumbnails?.renditions[0].name = "../../etc/passwd"
    case "order": told.thumbnails?.renditions.reverse()
    case "type": told.thumbnails?.renditions[0].type = .jpeg
    case "signature": told.thumbnails?.renditions[0].data = Array("<html>".utf8)
    case "side": told.thumbnails?.renditions[0].width = 16_384
    case "empty": told.thumbnails?.renditions[0].data = []
    case "peaks": told.thumbnails?.peaks = Array(repeating: 0, count: 101)
    case "frames": told.thumbnails?.framesDecoded = -1
    case "code": told.thumbnails?.error = MediaFailure(.init(rawValue: "a\nb"), "")
    case "bytesRead": told.bytesRead = -1
    default: told.storyboard?.tiles += result.storyboard?.tiles ?? []
    }
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(told, of: job, size: 1_234) }
  }

  @Test func picturesThatNobodyAskedForAreRefused() {
    let probe = MediaJob(facts: .found(ProbeOptions(), claim: nil))
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(result, of: probe, size: 1_234) }
    var board = job
    board.pictures?.storyboardFrames = nil
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(result, of: board, size: 1_234) }
  }

  @Test func aMutatedMessageIsAResultOrNone() throws {
    var random = SeededGenerator(seed: 5)
    let frame = try Messages.frame(result, job: 7)
    var refused = 0
    for _ in 0..<2_000 {
      var text = frame.text
      for _ in 0...random.below(3) { text[random.below(text.count)] = UInt8(random.below(256)) }
      let other = try #require(Frame(kind: .result, job: 7, text: text, bytes: frame.bytes))
      do { try ResultCheck.check(try Messages.result(of: other), of: job, size: 1_234) } catch { refused += 1 }
    }
    #expect(refused > 500, "seed 5")
  }

  /// Where the fuzzers begin: messages that are understood, or they would begin nowhere.
  @Test func theSeedsOfTheFuzzersAreMessages() throws {
    func seed(_ name: String) throws -> [UInt8] {
      try [UInt8](Data(contentsOf: Corpus.packageRoot.appendingPathComponent("Fuzz/Seeds/\(name)")))
    }
    func message(_ name: String) throws -> Frame {
      let bytes = try seed(name)
      let head = try #require(FrameHeader(Array(bytes.prefix(FrameHeader.length))))
      return try #require(Frame(header: head, body: Array(bytes.dropFirst(FrameHeader.length))))
    }
    let result = try Messages.result(of: message("answer/message"))
    #expect(result.thumbnails?.renditions.count == 2 && result.storyboard?.tiles.count == 1)
    #expect(try Messages.value(HelperGreeting.self, of: message("answer/greeting")).layers.isComplete)
    #expect(try Messages.value(MediaJob.self, of: message("request/message")).pictures?.requests.count == 1)
    let stage = try #require(Frame(kind: .stage, job: 1, text: seed("answer/stage")))
    #expect(try Messages.value(Messages.Stage.self, of: stage).stage == .rendering)
  }
}
