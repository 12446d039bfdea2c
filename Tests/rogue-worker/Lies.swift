internal import MediaEngineProtocol
internal import MediaModel

/// Answers that are well formed, and lie: what a worker that a file has taken over could say to exhaust or mislead its engine.
///
/// Tests send files of 4 bytes. A name that is not in the table is answered honestly, so that a test of it fails.
enum Lies {
  /// The answer to a job, with one false statement.
  static func answer(_ name: String, to job: MediaJob, number: UInt64) -> [UInt8] {
    var result = honest(job)
    if let falsify = facts[name] { falsify(&result.info) }
    if let falsify = images[name] { falsify(&result) }
    if let falsify = files[name], result.transcoded?.file != nil { falsify(&result) }
    guard let frame = try? Messages.frame(result, job: number) else { return [] }
    guard name == "promise" else { return frame.wire }
    // The head alone, of a message that the kernel and the engine would have to hold.
    let head = FrameHeader(kind: .result, job: number, textLength: frame.text.count, byteCount: 200 << 20)
    return (head?.bytes ?? []) + frame.text
  }

  /// What a worker would answer that is not taken over.
  private static func honest(_ job: MediaJob) -> MediaJobResult {
    var info = MediaInfo(type: .plainText, bytes: 4)
    info.title = "good"
    if case .given(let given) = job.facts { info = given }
    var result = MediaJobResult(info: info)
    if let images = job.images {
      let renditions = images.requests.map { request in
        Rendition(name: request.name, type: .webp, width: 8, height: 8, from: .image, quality: 79, data: webp)
      }
      result.thumbnails = ThumbnailResult(renditions: renditions, posterTime: 0, framesDecoded: 1, peaks: [0.5])
      if images.storyboardFrames != nil {
        let strip = Rendition(name: "storyboard", type: .webp, width: 9, height: 9, from: .poster, data: webp)
        let place = PixelRect(x: 0, y: 0, width: 9, height: 9)
        result.storyboard = Storyboard(strip: strip, tiles: [Storyboard.Tile(place: place, start: 0, end: 1)])
      }
    }
    if let request = job.transcoding {
      let isVideo = request.format.hasImages
      let data = [0, 0, 0, 8] + Array("ftypisom".utf8)
      let file = TranscodeResult.File(
        type: MediaType(isVideo ? "video/mp4" : "audio/mp4"), width: isVideo ? 320 : nil, height: isVideo ? 240 : nil,
        duration: 1, frames: isVideo ? 30 : nil, videoCodec: isVideo ? "h264" : nil, audioCodec: "aac", data: data)
      result.transcoded = TranscodeResult(file: file, encodings: 1)
    }
    return result
  }

  private static let webp = Array("RIFF\0\0\0\0WEBPVP8 ".utf8)
  private static let long = String(repeating: "a", count: 9_000)

  private static let facts: [String: @Sendable (inout MediaInfo) -> Void] = [
    "latitude": { $0.latitude = 90.5 },
    "longitude": { $0.longitude = -180.5 },
    "altitude": { $0.altitude = 1e9 },
    "duration": { $0.duration = 1e11 },
    "negative duration": { $0.duration = -1 },
    "frames": { $0.frames = .max },
    "pages": { $0.pages = -1 },
    "tracks": { $0.tracks = .max },
    "negative tracks": { $0.tracks = -1 },
    "frame rate": { $0.frameRate = 1e6 },
    "bit rate": { $0.bitRate = .max },
    "channels": { $0.channels = 1 << 20 },
    "sample rate": { $0.sampleRate = 1 << 40 },
    "rotation": { $0.rotation = 45 },
    "width": { $0.width = -5 },
    "title": { $0.title = long },
    "artist": { $0.artist = long },
    "album": { $0.album = long },
    "make": { $0.make = long },
    "model": { $0.model = long },
    "color profile": { $0.colorProfile = long },
    "codec": { $0.videoCodec = "h264\r\nx: y" },
    "long codec": { $0.audioCodec = long },
    "time source": { $0.takenAtSource = MediaInfo.TimeSource(rawValue: long) },
    "declared": { $0.mismatch = MediaInfo.Mismatch(declared: long, by: .client, class: .kind) },
    "message": { $0.error = MediaFailure(.corrupt, long) },
    "detail": { $0.error = MediaFailure(.corrupt, "", detail: long) },
    "embedded": { $0.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 1, height: 1, bytes: .max) },
    "embedded offset": { $0.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 1, height: 1, bytes: 2, offset: 3) },
  ]

  private static let images: [String: @Sendable (inout MediaJobResult) -> Void] = [
    "bytes of pixels": { $0.thumbnails?.renditions[0].data += [UInt8](repeating: 0, count: 70_000) },
    "bytes of budget": { $0.thumbnails?.renditions[1].data += [UInt8](repeating: 0, count: 1_000) },
    "wider": { $0.thumbnails?.renditions[0].width = 257 },
    "higher": { $0.thumbnails?.renditions[0].height = 257 },
    "rendition frames": { $0.thumbnails?.renditions[0].frames = 2 },
    "quality": { $0.thumbnails?.renditions[0].quality = 1_000 },
    "poster": { $0.thumbnails?.posterTime = -1 },
    "late poster": { $0.thumbnails?.posterTime = 1e12 },
    "peak": { $0.thumbnails?.peaks = [1.5] },
    "frames decoded": { $0.thumbnails?.framesDecoded = .max },
    "failure": { $0.thumbnails?.error = MediaFailure(.corrupt, long) },
    "strip": {
      $0.storyboard?.strip.width = 10_000
      $0.storyboard?.strip.height = 10_000
    },
    "strip bytes": { $0.storyboard?.strip.data += [UInt8](repeating: 0, count: 80_000) },
    "tile": {
      $0.storyboard?.strip.width = 161
      $0.storyboard?.tiles[0].place.width = 161
    },
    "tile time": { $0.storyboard?.tiles[0].start = 2 },
    "tile end": { $0.storyboard?.tiles[0].end = 1e12 },
    "storyboard failure": { $0.storyboardFailure = MediaFailure(.corrupt, "", detail: long) },
  ]

  private static let files: [String: @Sendable (inout MediaJobResult) -> Void] = [
    "file width": { $0.transcoded?.file?.width = 10_000 },
    "file height": { $0.transcoded?.file?.height = 641 },
    "file without size": { $0.transcoded?.file?.width = nil },
    "file duration": { $0.transcoded?.file?.duration = 1e7 },
    "file longer than asked": { $0.transcoded?.file?.duration = 12.5 },
    "file frames": { $0.transcoded?.file?.frames = 1_000 },
    "file video codec": { $0.transcoded?.file?.videoCodec = "hevc" },
    "file audio codec": { $0.transcoded?.file?.audioCodec = long },
    "encodings": { $0.transcoded?.encodings = .max },
    "fitting": { $0.transcoded?.fittingDuration = .infinity },
    "bytes read": { $0.transcoded?.bytesRead = .max },
    "file failure": { $0.transcoded?.error = MediaFailure(.wouldNotFit, long) },
  ]
}
