internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// A worker that keeps to the protocol and lies. None of it reaches the caller; the job is `decoderCrashed`.
@Suite("Workers that lie") struct LieTests {
  private func engine(_ lie: String) async throws -> MediaEngine {
    try await Engines.rogue("--lie") { $0.workerArguments = ["--lie", lie] }
  }

  private var request: MediaPreview.Request {
    var request = MediaPreview.Request(renditions: ["grid", "view"].compactMap(RenditionRequest.named))
    request.renditions[1].encoding = .maxBytes(900)
    request.storyboardFrames = 1
    return request
  }

  private var transcoding: TranscodeRequest {
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: 900)
    request.box = PixelSize(width: 640, height: 480)
    request.maxDuration = 10
    return request
  }

  private var video: MediaInfo { MediaInfo(type: MediaType("video/mp4"), bytes: 4) }

  @Test func `Valid results are accepted`() async throws {
    let engine = try await engine("none")
    #expect(try await engine.probe(.does("abc")).title == "good")
    let preview = try await engine.preview(.does("abc"), request)
    #expect(preview.thumbnails.renditions.map(\.name) == ["grid", "view"])
    #expect(preview.storyboard?.tiles.count == 1)
    #expect(preview.info.error == nil)
    let result = try await engine.transcode(.does("abc"), info: video, transcoding)
    #expect(result.file?.duration == 1)
    await engine.shutdown()
  }

  @Test(arguments: [
    "latitude", "longitude", "altitude", "duration", "negative duration", "frames", "pages", "tracks",
    "negative tracks", "frame rate", "bit rate", "channels", "sample rate", "rotation", "width", "title", "artist",
    "album", "make", "model", "color profile",
    "codec", "long codec", "time source", "declared", "message", "detail", "embedded", "embedded offset", "promise",
  ])
  func `A fact out of range is rejected`(lie: String) async throws {
    let engine = try await engine(lie)
    let info = try await engine.probe(.does("abc"))
    #expect(info.error?.code == .decoderCrashed)
    #expect(info.error?.detail?.contains("violated the protocol") == true)
    #expect(info.title == nil)
    await engine.shutdown()
  }

  @Test(arguments: [
    "bytes of pixels", "bytes of budget", "wider", "higher", "rendition frames", "quality", "poster", "late poster",
    "peak", "frames decoded", "failure", "strip", "strip bytes", "tile", "tile time", "tile end", "storyboard failure",
    "promise",
  ])
  func `An image that differs from the request is rejected`(lie: String) async throws {
    let engine = try await engine(lie)
    let preview = try await engine.preview(.does("abc"), request)
    #expect(preview.thumbnails.error?.code == .decoderCrashed)
    #expect(preview.thumbnails.error?.detail?.contains("violated the protocol") == true)
    #expect(preview.thumbnails.renditions.isEmpty)
    #expect(preview.storyboard == nil)
    await engine.shutdown()
  }

  @Test(arguments: [
    "file width", "file height", "file without size", "file duration", "file longer than asked", "file frames",
    "file video codec", "file audio codec", "encodings", "fitting", "bytes read", "file failure",
  ])
  func `A transcoded file that differs from the request is rejected`(lie: String) async throws {
    let engine = try await engine(lie)
    let result = try await engine.transcode(.does("abc"), info: video, transcoding)
    #expect(result.error?.code == .decoderCrashed)
    #expect(result.error?.detail?.contains("violated the protocol") == true)
    #expect(result.file == nil)
    await engine.shutdown()
  }
}
