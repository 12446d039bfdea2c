internal import Foundation

/// The videos that are measured with: about 2 GB. A few seconds are encoded, and repeated without encoding them again.
struct VideoSets {
  /// 50 videos of 1920 × 1080 in H.264, 10 seconds to 10 minutes.
  let videos: [String]
  /// 10 of a minute whose first fifth is black.
  let blackFirst: [String]
  /// 8 videos of 3840 × 2160 in HEVC of 10 bits, PQ.
  let high: [String]

  let videosSet: InputSet
  let blackFirstSet: InputSet
  let highSet: InputSet

  init(folder: String, output: String) {
    func ffmpeg(_ arguments: [String]) throws {
      _ = try Command(arguments: ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments, folder: "\(output)/making")
        .run()
    }
    func set(
      _ name: String, count: Int, of pieces: InputSet, make: @escaping (_ file: String, _ number: Int) throws -> Void
    ) -> InputSet {
      InputSet(path: "\(folder)/\(name)", needs: [pieces]) { beside in
        try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
        for (number, name) in Self.names(count).enumerated() { try make("\(beside)/\(name)", number) }
      }
    }
    let pieces = InputSet(path: "\(folder)/pieces") { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      for arguments in Self.pieces(in: beside) { try ffmpeg(arguments) }
    }
    videosSet = set("videos", count: 50, of: pieces) { file, number in
      try ffmpeg(["-stream_loop", "\(number * 59 / 49)", "-i", "\(pieces.path)/video.mp4", "-c", "copy", file])
    }
    blackFirstSet = set("black-first", count: 10, of: pieces) { file, number in
      let list = file + ".txt"
      let parts = ["black"] + Array(repeating: "video", count: 4 + number % 2)
      try parts.map { "file '\(pieces.path)/\($0).mp4'" }.joined(separator: "\n")
        .write(toFile: list, atomically: true, encoding: .utf8)
      try ffmpeg(["-f", "concat", "-safe", "0", "-i", list, "-c", "copy", file])
    }
    highSet = set("high", count: 8, of: pieces) { file, number in
      try ffmpeg(["-stream_loop", "\(10 + number * 5)", "-i", "\(pieces.path)/high.mp4", "-c", "copy", file])
    }
    videos = Self.names(50).map { "\(folder)/videos/\($0)" }
    blackFirst = Self.names(10).map { "\(folder)/black-first/\($0)" }
    high = Self.names(8).map { "\(folder)/high/\($0)" }
  }

  private static func names(_ count: Int) -> [String] {
    (0..<count).map { "VID_\($0 < 10 ? "0" : "")\($0).mp4" }
  }

  /// The arguments of ffmpeg for what the videos are repeated from.
  private static func pieces(in folder: String) -> [[String]] {
    let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"]
    let pattern = "[1]trim=duration=10[m];[0][m]blend=all_mode=average,noise=alls=10:allf=t,format=yuv420p"
    let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
    return [
      ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=25:d=10", "-f", "lavfi", "-i", "mandelbrot=s=1920x1080:r=25"]
        + ["-filter_complex", pattern] + h264 + ["-b:v", "1M", "\(folder)/video.mp4"],
      ["-f", "lavfi", "-i", "color=black:s=1920x1080:r=25:d=10"] + h264 + ["\(folder)/black.mp4"],
      ["-f", "lavfi", "-i", "mandelbrot=s=3840x2160:r=24", "-frames:v", "24"]
        + ["-vf", "noise=alls=6,format=yuv420p10le"]
        + ["-c:v", "libx265", "-preset", "ultrafast", "-g", "24", "-x265-params", "log-level=none:open-gop=0"] + tags
        + ["-tag:v", "hvc1", "\(folder)/high.mp4"],
    ]
  }
}
