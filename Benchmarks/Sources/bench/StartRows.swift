/// The rows of the speed table that start a process for each file, one after another, as people, editors and `xargs` do.
struct StartRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  var photos: PhotoSets
  var videos: VideoSets

  /// Processes in a row of which each has one file.
  static let processes = 20

  /// The same tool once for each file.
  private func each(_ files: [String], _ tool: [String], as name: String, makes: Int = 0) -> Command {
    Command(
      arguments: ["sh", "-c", "for file in \"$@\"; do \(tool.joined(separator: " ")) \"$file\" || exit; done", "sh"]
        + files.prefix(Self.processes),
      folder: "\(output)/\(name)", files: makes)
  }

  private func starting(_ words: String...) -> Row {
    Row(
      work: "mediatool \(words.joined(separator: " "))",
      ours: Command(arguments: [tool] + words, folder: "\(output)/starting"), peerName: "/bin/true, the least",
      peer: Command(arguments: ["/bin/true"], folder: "\(output)/starting-least"), requirement: .start(below: 0.005))
  }

  var all: [Row] {
    let small = "\(output)/start-small"
    let thumbnails = each(
      photos.large, [tool, "thumbnail", "--size", "256", "--json", "-o", small], as: "start-small",
      makes: Self.processes)
    return [
      Row(
        work: "thumbnails of \(Self.processes) photos of 12 MP, a process a file", ours: thumbnails,
        peerName: "vipsthumbnail, a process a file",
        peer: each(
          photos.large, ["vipsthumbnail", "-s", "256", "-o", "'\(output)/start-vips/%s.webp[Q=79,strip]'"],
          as: "start-vips", makes: Self.processes),
        requirement: .time(atMost: 0.85)
      ).needing(photos.largeSet),
      Row(
        work: "peak memory of a worker, a photo of 12 MP a process", ours: thumbnails.watching(.largest),
        requirement: .memory(below: 45)
      ).needing(photos.largeSet),
      Row(
        work: "probing \(Self.processes) photos, a process a file",
        ours: each(photos.many, [tool, "probe", "--json"], as: "start-probe"), peerName: "exiftool, a process a file",
        peer: each(photos.many, ["exiftool", "-j", "-n"], as: "start-exiftool"), requirement: .time(atMost: 0.25)
      ).needing(photos.manySet),
      Row(
        work: "probing \(Self.processes) videos in 1080p, a process a file",
        ours: each(videos.videos, [tool, "probe", "--json"], as: "start-video"), peerName: "ffprobe, a process a file",
        peer: each(
          videos.videos, ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams"],
          as: "start-ffprobe"),
        requirement: .time(atMost: 0.5)
      ).needing(videos.videosSet),
      // What asks no decoder loads none.
      starting("--help"), starting("--version"), starting("check", "--help"), starting("text", "--help"),
    ]
  }
}
