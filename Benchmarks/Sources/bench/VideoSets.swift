internal import Foundation

/// The videos that are measured with, made once and kept: about 2 GB. A few seconds are encoded, and repeated without encoding them again.
struct VideoSets {
  /// 50 videos of 1920 × 1080 in H.264, 10 seconds to 10 minutes.
  let videos: [String]
  /// 10 of a minute whose first fifth is black.
  let blackFirst: [String]
  /// 8 videos of 3840 × 2160 in HEVC of 10 bits, PQ.
  let high: [String]

  /// Makes what is missing below `folder`; takes a few minutes the first time.
  init(folder: String) throws {
    let pieces = "\(folder)/pieces"
    try Self.once(pieces) { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"]
      let pattern =
        "[1]trim=duration=10[m];[0][m]blend=all_mode=average,noise=alls=10:allf=t,format=yuv420p"
      try Self.ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=25:d=10", "-f", "lavfi", "-i", "mandelbrot=s=1920x1080:r=25"]
          + ["-filter_complex", pattern] + h264 + ["-b:v", "1M", "\(beside)/video.mp4"])
      try Self.ffmpeg(
        ["-f", "lavfi", "-i", "color=black:s=1920x1080:r=25:d=10"] + h264 + ["\(beside)/black.mp4"])
      let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
      try Self.ffmpeg(
        [
          "-f", "lavfi", "-i", "mandelbrot=s=3840x2160:r=24", "-frames:v", "24", "-vf",
          "noise=alls=6,format=yuv420p10le",
        ]
          + ["-c:v", "libx265", "-preset", "ultrafast", "-g", "24", "-x265-params", "log-level=none:open-gop=0"] + tags
          + ["-tag:v", "hvc1", "\(beside)/high.mp4"])
    }
    videos = try Self.set("\(folder)/videos", count: 50) { file, number in
      try Self.ffmpeg(["-stream_loop", "\(number * 59 / 49)", "-i", "\(pieces)/video.mp4", "-c", "copy", file])
    }
    blackFirst = try Self.set("\(folder)/black-first", count: 10) { file, number in
      let list = file + ".txt"
      let parts = ["black"] + Array(repeating: "video", count: 4 + number % 2)
      try parts.map { "file '\(pieces)/\($0).mp4'" }.joined(separator: "\n")
        .write(toFile: list, atomically: true, encoding: .utf8)
      try Self.ffmpeg(["-f", "concat", "-safe", "0", "-i", list, "-c", "copy", file])
    }
    high = try Self.set("\(folder)/high", count: 8) { file, number in
      try Self.ffmpeg(["-stream_loop", "\(10 + number * 5)", "-i", "\(pieces)/high.mp4", "-c", "copy", file])
    }
  }

  private static func set(
    _ folder: String, count: Int, make: (_ file: String, _ number: Int) throws -> Void
  ) throws -> [String] {
    let names = (0..<count).map { "VID_\($0 < 10 ? "0" : "")\($0).mp4" }
    try once(folder) { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      for (number, name) in names.enumerated() { try make("\(beside)/\(name)", number) }
    }
    return names.map { "\(folder)/\($0)" }
  }

  /// Makes a folder beside and renames it, so that an interrupted run leaves nothing that looks finished.
  private static func once(_ folder: String, make: (_ beside: String) throws -> Void) throws {
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    FileHandle.standardError.write(Data("making \((folder as NSString).lastPathComponent)\n".utf8))
    let beside = folder + ".new"
    try? FileManager.default.removeItem(atPath: beside)
    try make(beside)
    try FileManager.default.moveItem(atPath: beside, toPath: folder)
  }

  private static func ffmpeg(_ arguments: [String]) throws {
    let scratch = FileManager.default.temporaryDirectory.path + "/mediatool-bench-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    _ = try Command(arguments: ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments, folder: scratch).run()
  }
}
