internal import MediaEngineProtocol
internal import MediaModel
internal import Testing

@Suite("Bounds of facts and results") struct FactBoundsTests {
  @Test func `A long text is cut between scalars, and other facts are kept`() {
    var info = MediaInfo(type: .jpeg, bytes: 1_000)
    // Three bytes each: the limit of 8,192 is within one.
    info.title = String(repeating: "€", count: 4_000)
    info.make = "Canon"
    (info.latitude, info.longitude, info.altitude) = (-90, 180, -12_000)
    let bounded = FactBounds.bounded(info)
    #expect(bounded.title == String(repeating: "€", count: 2_730))
    #expect(FactBounds.bounded(bounded) == bounded)
    info.title = bounded.title
    #expect(bounded == info)
  }

  @Test func `A number out of its range is absent`() {
    var info = MediaInfo(type: .jpeg, bytes: 1_000)
    (info.latitude, info.longitude, info.altitude) = (90.1, .nan, .infinity)
    (info.duration, info.frameRate, info.bitRate) = (-1, 1e9, -1)
    (info.width, info.frames, info.rotation) = (-1, .max, 45)
    info.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 2, height: 2, bytes: 9, offset: 992)
    var expected = MediaInfo(type: .jpeg, bytes: 1_000)
    expected.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 2, height: 2, bytes: 9)
    #expect(FactBounds.bounded(info) == expected)
  }

  /// What a caller had found before, with whatever it is, is not a worker's lie.
  @Test func `Facts that the engine gave are not taken from the worker`() throws {
    var info = MediaInfo(type: .jpeg, bytes: 1_000)
    info.duration = .nan
    try ResultCheck.check(info, size: 1_000, given: .given(info))
    #expect(throws: ProtocolViolation.self) {
      try ResultCheck.check(info, size: 1_000, given: .found(ProbeOptions(), claim: nil))
    }
  }

  /// Containers state durations as they like, and the times of an honest worker follow from them.
  @Test(arguments: [1e11, -1, .infinity, .nan]) func `A time out of its range is not reported`(second: Double) throws {
    let info = MediaInfo(type: MediaType("video/mp4"), bytes: 1_000)
    var result = MediaJobResult(info: info)
    result.thumbnails = ThumbnailResult(posterTime: second)
    let strip = Rendition(
      name: "storyboard", type: .webp, width: 9, height: 9, from: .poster, data: Array("RIFF\0\0\0\0WEBPVP8 ".utf8))
    let place = PixelRect(x: 0, y: 0, width: 9, height: 9)
    result.storyboard = Storyboard(strip: strip, tiles: [Storyboard.Tile(place: place, start: 0, end: second)])
    let bounded = FactBounds.bounded(result)
    #expect(bounded.thumbnails?.posterTime == nil)
    #expect(bounded.storyboard == nil)
    #expect(bounded.storyboardFailure?.code == .unsupported)
    let images = MediaJob.Images(options: ThumbnailOptions(), requests: [], storyboardFrames: 1)
    let job = MediaJob(facts: .found(ProbeOptions(), claim: nil), images: images)
    try ResultCheck.check(bounded, of: job, size: 1_000)
    #expect(throws: ProtocolViolation.self) { try ResultCheck.check(result, of: job, size: 1_000) }
  }

  @Test func `A result has at most the bytes that its job allows`() {
    let probe = ResultBounds(of: MediaJob(facts: .found(ProbeOptions(), claim: nil)))
    #expect(probe.bytes == 0)
    #expect(probe.text < 200_000)
    var request = RenditionRequest(name: "a", box: PixelSize(width: 100, height: 100))
    func bytes(_ requests: [RenditionRequest], frames: Int? = nil) -> Int {
      let images = MediaJob.Images(options: ThumbnailOptions(), requests: requests, storyboardFrames: frames)
      return ResultBounds(of: MediaJob(facts: .found(ProbeOptions(), claim: nil), images: images)).bytes
    }
    // 112 × 112 in whole blocks, eight bytes each, and 64 KiB.
    #expect(bytes([request]) == 112 * 112 * 8 + 65_536)
    #expect(bytes([request, request]) == 2 * bytes([request]))
    request.encoding = .maxBytes(3_000)
    #expect(bytes([request]) == 3_000)
    #expect(bytes([request], frames: 10) == 3_000 + 20 * 160 * 160 * 8 + 65_536)
    request = RenditionRequest(name: "a", box: PixelSize(width: .max, height: .max))
    request.animated = true
    #expect(bytes([request, request]) == 268_435_456)
  }
}
