internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Transcoding

/// Videos that ffmpeg makes for a test, and what others say about videos.
enum TestVideos {
  /// Makes a video: `inputs` and options as ffmpeg takes them; its name says the container.
  static func make(_ name: String, in folder: TemporaryFolder, _ arguments: [String]) throws -> String {
    let path = folder.path(name)
    _ = try Tool("ffmpeg", package: "ffmpeg").output(["-v", "error", "-y"] + arguments + [path])
    return path
  }

  /// A video with motion everywhere, and a tone; 640 × 360 at 30 frames per second by default.
  static func busy(
    _ name: String, in folder: TemporaryFolder, seconds: Double = 4, size: String = "640x360",
    rate: String = "30", options: [String] = []
  ) throws -> String {
    let image = "testsrc2=size=\(size):rate=\(rate):duration=\(seconds),noise=alls=12:allf=t:all_seed=1"
    let audio = "sine=frequency=440:duration=\(seconds):sample_rate=44100"
    return try make(
      name, in: folder,
      ["-f", "lavfi", "-i", image, "-f", "lavfi", "-i", audio, "-pix_fmt", "yuv420p", "-shortest"] + options)
  }

  /// What ffprobe says of a file, by section.
  static func facts(_ path: String, _ more: [String] = []) throws -> Facts {
    let arguments = ["-v", "error", "-show_streams", "-show_format", "-of", "json"] + more + [path]
    let json = try Tool("ffprobe", package: "ffmpeg").output(arguments)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Facts.self, from: Data(json))
  }

  /// A part of ffprobe's answer.
  struct Facts: Decodable {
    struct Stream: Decodable {
      var codecName: String?
      var codecType: String
      var profile: String?
      var level: Int?
      var width: Int?
      var height: Int?
      var refs: Int?
      var duration: String?
      var startTime: String?
      var sampleRate: String?
      var channels: Int?
      var nbFrames: String?
      var tags: [String: String]?
      var sideDataList: [[String: JSONValue]]?
    }
    struct Format: Decodable {
      var duration: String
      var tags: [String: String]?
    }
    var streams: [Stream]
    var format: Format

    var video: Stream? { streams.first { $0.codecType == "video" } }
    var audio: Stream? { streams.first { $0.codecType == "audio" } }
  }

  /// The file through the transcoder, with a deadline that a slow machine meets too, unless the test has set one.
  static func transcode(
    _ path: String, _ request: TranscodeRequest, progress: @escaping (TranscodeProgress) -> Void = { _ in }
  ) throws -> (info: MediaInfo, result: TranscodeResult) {
    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input)
    var request = request
    if request.limits.transcodeSeconds == MediaLimits().transcodeSeconds { request.limits.transcodeSeconds = 3_600 }
    return (info, Transcoder().transcode(input, info: info, request, progress: progress))
  }

  /// Writes the new file beside the others.
  static func write(_ file: TranscodeResult.File, _ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try Data(file.data).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// What programs are known to write of themselves, as far as it stands in a file.
  static func traces(of file: [UInt8]) throws -> [String] {
    let text = String(decoding: file, as: Unicode.ASCII.self)
    return ["Lavf", "Lavc", "x264", "FFMP", "Handler", "udta", "meta", "appl", "libfaac"].filter { text.contains($0) }
  }

  /// The similarity of two videos of the same size and rate, 0…1, as ffmpeg's `ssim` measures it over all planes.
  /// - Parameter skipping: Number of frames of the reference to skip at the start.
  static func likeness(
    _ path: String, to reference: String, filter: String, skipping: Int = 0
  ) throws -> Double {
    let graph = "[1:v]trim=start_frame=\(skipping),\(filter)[r];[0:v]\(filter)[d];[d][r]ssim=shortest=1"
    let output = try Tool("ffmpeg", package: "ffmpeg").run(
      ["-v", "info", "-nostats", "-i", path, "-i", reference, "-lavfi", graph, "-f", "null", "-"])
    guard let text = output.errors.components(separatedBy: "All:").last?.prefix(while: { $0 != " " }),
      let value = Double(text)
    else { throw Tool.Failure.failed(name: "ffmpeg", status: output.status, errors: output.errors) }
    return value
  }
}
