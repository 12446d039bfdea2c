/// The rows of the speed table that concern videos.
struct VideoRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  var sets: VideoSets
  var cores: Int

  private func posters(_ arguments: [String] = [], of files: [String], as name: String) -> Command {
    let folder = "\(output)/\(name)"
    return Command(
      arguments: [tool, "thumbnail", "--size", "256"] + arguments
        + ["-o", folder, "--jobs", String(cores), "--json"] + files,
      folder: folder, files: files.count, lines: files.count)
  }

  /// A tool that is run once for each file, as many at a time as there are cores. `arguments` gives those for one file and its output.
  private func once(
    _ tool: [String], of files: [String], as name: String, arguments: (_ file: String, _ output: String) -> [String]
  ) throws -> Command {
    let folder = "\(output)/\(name)"
    let words = files.enumerated().map { arguments($1, "\(folder)/\($0).png") }
    let list = "\(output)/\(name).txt"
    try words.joined().joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
    return Command(
      arguments: ["xargs", "-d", "\\n", "-a", list, "-P", String(cores), "-n", String(words.first?.count ?? 1)] + tool,
      folder: folder, files: files.count)
  }

  func all() throws -> [Row] {
    let videos = posters(of: sets.videos, as: "videos")
    let high = posters(of: sets.high, as: "high")
    let once = "one process per file, \(cores) at a time"
    func thumbnailer(_ files: [String], as name: String) throws -> Command {
      try self.once(["ffmpegthumbnailer", "-s", "256"], of: files, as: name) { ["-i", $0, "-o", $1] }
    }
    let fifty = [
      Row(
        work: "posters of 50 videos in 1080p H.264", ours: videos, peerName: "ffmpegthumbnailer \(once)",
        peer: try thumbnailer(sets.videos, as: "ffmpegthumbnailer"), requirement: .speed(atLeast: 5)),
      Row(
        work: "posters of 12 videos in 1080p H.264", ours: posters(of: Array(sets.videos.prefix(12)), as: "videos-12"),
        peerName: "ffmpegthumbnailer \(once)",
        peer: try thumbnailer(Array(sets.videos.prefix(12)), as: "ffmpegthumbnailer-12"),
        requirement: .speed(atLeast: 4)),
      Row(
        work: "posters of 50 videos in 1080p H.264", ours: videos, peerName: "ffmpeg -vf thumbnail \(once)",
        peer: try self.once(["ffmpeg", "-v", "error", "-nostdin", "-y"], of: sets.videos, as: "ffmpeg-thumbnail") {
          ["-i", $0, "-vf", "thumbnail,scale=256:-2", "-frames:v", "1", $1]
        },
        requirement: .speed(atLeast: 6)),
      Row(
        work: "the choice of a frame, 50 videos", ours: videos, peerName: "the key frame at second 4, --at 4",
        peer: posters(["--at", "4"], of: sets.videos, as: "videos-at"), requirement: .time(atMost: 2.5)),
      Row(work: "peak memory, 50 videos in 1080p", ours: videos.inProcess, requirement: .memory(below: 200)),
    ]
    let black = Row(
      work: "the choice of a frame, 10 videos that begin black",
      ours: posters(of: sets.blackFirst, as: "black-first"),
      peerName: "the key frame at second 4, --at 4",
      peer: posters(["--at", "4"], of: sets.blackFirst, as: "black-first-at"), requirement: .time(atMost: 2.5))
    let eight = [
      Row(
        work: "posters of 8 videos in 4K HEVC HDR", ours: high, peerName: "ffmpegthumbnailer \(once)",
        peer: try thumbnailer(sets.high, as: "ffmpegthumbnailer-high"), requirement: .speed(atLeast: 2)),
      Row(work: "peak memory, 8 videos in 4K HEVC HDR", ours: high.inProcess, requirement: .memory(below: 400)),
    ]
    return fifty.map { $0.needing(sets.videosSet) } + [black.needing(sets.blackFirstSet)]
      + eight.map { $0.needing(sets.highSet) }
  }
}
