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
    info.takenAt = MediaInfo.CaptureTime(iso8601: "2018-07-25T16:34:23+02:00")
    info.error = MediaFailure(.truncated, "It ends early.", detail: "\u{FFFD}")
    let grid = Rendition(
      name: "grid", type: .webp, width: 256, height: 256, from: .image, quality: 79, similarity: 0.1 + 0.2, data: webp)
    let view = Rendition(name: "view", type: .webp, width: 9, height: 8, frames: 3, from: .poster, data: webp + [1])
    let thumbnails = ThumbnailResult(
      renditions: [grid, view], placeholder: Placeholder(thumbhash: "t+/=", blurhash: "b#", color: "#010203"),
      posterTime: 1 / 3, framesDecoded: 7, peaks: [0, 1 / 3, 1], icon: .video, bytesRead: 99)
    let strip = Rendition(name: "storyboard", type: .webp, width: 9, height: 9, from: .poster, data: webp)
    let preview = Storyboard.Tile(place: PixelRect(x: 0, y: 0, width: 9, height: 9), start: 0, end: 0.7)
    return MediaJobResult(
      info: info, thumbnails: thumbnails, storyboard: Storyboard(strip: strip, tiles: [preview]), bytesRead: 77)
  }

  private var job: MediaJob {
    var requests = ["grid", "view"].compactMap(RenditionRequest.named)
    requests[0].comparedIn = PixelSize(width: 256, height: 256)
    requests[1].animated = true
    return MediaJob(
      facts: .found(ProbeOptions(), claim: .fileName("a.jpg")),
      images: .init(options: ThumbnailOptions(), requests: requests, storyboardFrames: 1))
  }

  @Test func `A result is decoded bit for bit`() throws {
    let frame = try Messages.frame(result, job: 7)
    #expect(try Messages.result(of: frame) == result)
    try ResultCheck.check(result, of: job, size: 1_234)
  }

  private var video: MediaJobResult {
    let file = TranscodeResult.File(
      type: MediaType("video/mp4"), width: 320, height: 240, duration: 1.5, frames: 45, videoCodec: "h264",
      audioCodec: "aac", isCopy: true, isCut: true, data: [0, 0, 0, 8] + Array("ftypisom".utf8))
    var result = result
    result.transcoded = TranscodeResult(file: file, fittingDuration: 2.5, encodings: 3, bytesRead: 9)
    return result
  }

  private var videoJob: MediaJob {
    var job = job
    job.transcoding = TranscodeRequest(format: .mp4(.level3), maxBytes: 12)
    return job
  }

  @Test func `A transcoded file is decoded bit for bit`() throws {
    let frame = try Messages.frame(video, job: 7)
    #expect(try Messages.result(of: frame) == video)
    try ResultCheck.check(video, of: videoJob, size: 1_234)
    #expect(try Messages.value(MediaJob.self, of: Messages.frame(.job, job: 1, videoJob)) == videoJob)
  }

  @Test(arguments: ["unasked", "large", "type", "signature", "width", "duration", "code", "encodings"])
  func `A harmful transcoded file is rejected`(lie: String) throws {
    var (reported, job) = (video, videoJob)
    switch lie {
    case "unasked": job.transcoding = nil
    case "large": job.transcoding?.maxBytes = 11
    case "type": reported.transcoded?.file?.type = MediaType("text/html")
    case "signature": reported.transcoded?.file?.data = Array("<html><html>".utf8)
    case "width": reported.transcoded?.file?.width = -1
    case "duration": reported.transcoded?.file?.duration = -.infinity
    case "code": reported.transcoded?.error = MediaFailure(.init(rawValue: "a b"), "")
    default: reported.transcoded?.encodings = -1
    }
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(reported, of: job, size: 1_234) }
  }

  @Test func `Infinities and NaN are decoded unchanged`() throws {
    var odd = result
    odd.info.duration = .infinity
    odd.info.altitude = -.infinity
    odd.thumbnails?.peaks = [.nan]
    let back = try Messages.result(of: Messages.frame(odd, job: 7))
    #expect(back.info.duration == .infinity)
    #expect(back.info.altitude == -.infinity)
    #expect(back.thumbnails?.peaks?.first?.isNaN == true)
  }

  /// Every fact there is: a property that the code of facts forgets comes back as nil, and one that this forgets is found below.
  private var everyFact: MediaInfo {
    var info = result.info
    info.kind = .video
    info.extension = "jpg"
    (info.orientation, info.rotation, info.frames, info.pages, info.tracks) = (.left, 90, 3, 7, 2)
    (info.animated, info.alpha, info.coverArt, info.motionPhoto) = (true, false, true, false)
    (info.frameRate, info.bitRate, info.channels, info.sampleRate) = (29.97, .max, 2, 48_000)
    (info.videoCodec, info.audioCodec) = ("hevc", "")
    (info.hdr, info.colorPrimaries, info.colorProfile) = (.pq, .p3, "Display P3")
    info.takenAtSource = .xmp
    (info.longitude, info.altitude) = (-0.0, 8_848.86)
    (info.make, info.model, info.artist, info.album) = ("Apple", "iPhone", "a", "b")
    info.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 160, height: 120, bytes: 9, offset: 4)
    info.mismatch = MediaInfo.Mismatch(declared: "png", by: .client, class: .active)
    info.sha256 = String(repeating: "0", count: 64)
    return info
  }

  @Test func `Facts alone are decoded bit for bit`() throws {
    for child in Mirror(reflecting: everyFact).children {
      let isMissing = Mirror(reflecting: child.value).displayStyle == .optional && "\(child.value)" == "nil"
      #expect(!isMissing, "\(child.label ?? "") is in no test")
    }
    let few = MediaInfo(type: MediaType("application/x-none"), bytes: 0)
    for info in [everyFact, few] {
      let reported = MediaJobResult(info: info, bytesRead: 12)
      let frame = try Messages.frame(reported, job: 7)
      #expect(frame.text.first == 1)
      #expect(frame.bytes.isEmpty)
      #expect(try Messages.result(of: frame) == reported)
    }
  }

  @Test func `Truncated, extended or contradictory facts are invalid`() throws {
    let text = try Messages.frame(MediaJobResult(info: everyFact, bytesRead: 12), job: 7).text
    for count in 0..<text.count {
      let frame = try #require(Frame(kind: .result, job: 7, text: Array(text.prefix(count))))
      #expect(throws: ProtocolViolation.self, "\(count)") { try Messages.result(of: frame) }
    }
    let long = try #require(Frame(kind: .result, job: 7, text: text + [0]))
    #expect(throws: ProtocolViolation.self) { try Messages.result(of: long) }
    let beside = try #require(Frame(kind: .result, job: 7, text: text, bytes: [0]))
    #expect(throws: ProtocolViolation.self) { try Messages.result(of: beside) }
    // A result or a violation, whatever is changed.
    var random = SeededGenerator(seed: 6)
    var refused = 0
    for _ in 0..<5_000 {
      var other = text
      for _ in 0...random.below(3) { other[random.below(other.count)] = UInt8(random.below(256)) }
      let frame = try #require(Frame(kind: .result, job: 7, text: other))
      do { _ = try Messages.result(of: frame) } catch { refused += 1 }
    }
    #expect((1_000..<5_000).contains(refused), "seed 6: \(refused)")
  }

  @Test func `A job is decoded as it was encoded`() throws {
    var job = job
    job.images?.options.posterPosition = .fraction(0.25)
    job.images?.requests[0].encoding = .maxBytes(9)
    job.images?.requests[0].chroma = .full
    job.images?.requests[0].crop = PixelRect(x: 1, y: 2, width: 3, height: 4)
    let frame = try Messages.frame(.job, job: 1, job)
    #expect(try Messages.value(MediaJob.self, of: frame) == job)
  }

  @Test(arguments: [
    ("/home/ada/secret/a.tar.JPG", "-.JPG"), ("b.png", "-.png"), ("/x.y/none", nil), (".profile", nil), ("", nil),
    ("/x.y/\u{301}none", nil), ("/x/\u{301}.jpg", "-.jpg"),
  ])
  func `No path reaches a worker`(path: String, claim: String?) {
    let job = MediaJob(facts: .found(ProbeOptions(), claim: .fileName(path)))
    #expect(job.withoutPath.facts == .found(ProbeOptions(), claim: claim.map { .fileName($0) }))
    let sent = MediaJob(facts: .found(ProbeOptions(), claim: .mediaType("image/png")))
    #expect(sent.withoutPath == sent)
  }

  /// Swift finds the last character of a run of flags by reading the whole run.
  @Test func `The time for the extension of a long name is linear`() {
    let flags = String(repeating: "\u{1F1E6}", count: 100_000)
    for (name, claim) in [(flags, nil), (flags + ".jpg", "-.jpg")] {
      let job = MediaJob(facts: .found(ProbeOptions(), claim: .fileName(name)))
      #expect(job.withoutPath.facts == .found(ProbeOptions(), claim: claim.map { .fileName($0) }))
    }
  }

  @Test func `Images must fill the bytes exactly`() throws {
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

  @Test func `Only the JSON of a result is a result`() throws {
    for text in ["", "{", "[]", "null", "{}", "{\"info\":7}", String(repeating: "[", count: 100_000)] {
      let frame = try #require(Frame(kind: .result, job: 7, text: Array(text.utf8)))
      #expect(throws: ProtocolViolation.self) { try Messages.result(of: frame) }
    }
  }

  /// What a worker that a file has taken over could say, each refused.
  @Test(arguments: [
    "size", "negative", "rendition", "order", "type", "signature", "side", "empty", "peaks", "frames", "code",
    "bytesRead", "tiles", "huge", "offset", "infinite", "nowhere", "rotation", "extension", "mime", "digest",
    "other code", "color", "thumbhash", "blurhash", "peak", "poster", "tile", "tile time", "bytes of images",
    "similarity", "compared",
  ])
  func `A harmful result is rejected`(lie: String) throws {
    var reported = result
    switch lie {
    case "size": reported.info.bytes = 1_235
    case "negative": reported.info.width = -1
    case "rendition": reported.thumbnails?.renditions[0].name = "../../etc/passwd"
    case "order": reported.thumbnails?.renditions.reverse()
    case "type": reported.thumbnails?.renditions[0].type = .jpeg
    case "signature": reported.thumbnails?.renditions[0].data = Array("<html>".utf8)
    case "side": reported.thumbnails?.renditions[0].width = 16_384
    case "empty": reported.thumbnails?.renditions[0].data = []
    case "peaks": reported.thumbnails?.peaks = Array(repeating: 0, count: 101)
    case "frames": reported.thumbnails?.framesDecoded = -1
    case "code": reported.thumbnails?.error = MediaFailure(.init(rawValue: "a\nb"), "")
    case "bytesRead": reported.bytesRead = -1
    case "huge": reported.info.width = Int(UInt32.max) + 1
    case "offset":
      reported.info.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 1, height: 1, bytes: 1, offset: .max)
    case "infinite": reported.info.duration = .infinity
    case "nowhere": reported.info.latitude = .nan
    case "rotation": reported.info.rotation = .min
    case "extension": reported.info.extension = "../x"
    case "mime": reported.info.type = MediaType("image/jpeg\r\nSet-Cookie: a=b")
    case "digest": reported.info.sha256 = "../../etc/passwd"
    // Metrics would have a name for each.
    case "other code": reported.info.error = MediaFailure(.init(rawValue: "abcdefg"), "")
    case "color": reported.thumbnails?.placeholder?.color = "red}body{background:url(//x)}"
    case "thumbhash": reported.thumbnails?.placeholder?.thumbhash = "\"><script>"
    case "blurhash": reported.thumbnails?.placeholder?.blurhash = "\"><script>"
    case "peak": reported.thumbnails?.peaks = [.nan]
    case "poster": reported.thumbnails?.posterTime = .infinity
    case "tile": reported.storyboard?.tiles[0].place.x = .max
    case "tile time": reported.storyboard?.tiles[0].end = .nan
    case "bytes of images": reported.thumbnails?.bytesRead = .max
    case "tiles": reported.storyboard?.tiles += result.storyboard?.tiles ?? []
    case "similarity": reported.thumbnails?.renditions[0].similarity = .nan
    case "compared": reported.thumbnails?.renditions[1].similarity = 0.5
    default: Issue.record("\(lie) is in no result")
    }
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(reported, of: job, size: 1_234) }
  }

  @Test func `Unrequested images are refused`() {
    let probe = MediaJob(facts: .found(ProbeOptions(), claim: nil))
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(result, of: probe, size: 1_234) }
    var board = job
    board.images?.storyboardFrames = nil
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(result, of: board, size: 1_234) }
  }

  @Test func `A mutated message is a result or invalid`() throws {
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
  @Test func `The seeds of the fuzzers are messages`() throws {
    func seed(_ name: String) throws -> [UInt8] {
      try [UInt8](Data(contentsOf: Corpus.packageRoot.appendingPathComponent("Fuzz/Seeds/\(name)")))
    }
    func message(_ name: String) throws -> Frame {
      let bytes = try seed(name)
      let head = try #require(FrameHeader(Array(bytes.prefix(FrameHeader.length))))
      return try #require(Frame(header: head, body: Array(bytes.dropFirst(FrameHeader.length))))
    }
    let facts = try Messages.result(of: message("answer/facts"))
    #expect(facts.info.embeddedThumbnail?.offset == 400)
    #expect(facts.info.error?.code == .truncated)
    let result = try Messages.result(of: message("answer/message"))
    #expect(result.thumbnails?.renditions.first?.similarity == 0.5)
    #expect(result.thumbnails?.renditions.count == 2)
    #expect(result.storyboard?.tiles.count == 1)
    #expect(try Messages.value(WorkerGreeting.self, of: message("answer/greeting")).layers.isComplete)
    let requests = try Messages.value(MediaJob.self, of: message("request/message")).images?.requests
    #expect(requests?.map(\.comparedIn) == [PixelSize(width: 9, height: 9)])
    let job = try #require(Frame(kind: .job, job: 1, text: seed("request/transcoding")))
    #expect(try Messages.value(MediaJob.self, of: job).transcoding?.format == .mp4(.level13))
    let stage = try #require(Frame(kind: .stage, job: 1, text: seed("answer/stage")))
    #expect(try Messages.value(Messages.Stage.self, of: stage).stage == .rendering)
    let progress = try #require(Frame(kind: .progress, job: 1, text: seed("answer/progress")))
    #expect(try Messages.value(TranscodeProgress.self, of: progress).share == 0.25)
  }
}
